S a b
A 0 1|||R|||x||y z|||REQUIRED|||-NONE-|||0
A 2 2|||M||||||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||3

S c
T0-A0 c
