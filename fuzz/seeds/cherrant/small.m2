S 我 每 天 跑 步 。
T0-A0 我 每 天 都 跑 步 。
A 3 3|||M|||都|||REQUIRED|||-NONE-|||0
T0-A1 我 每 天 都 跑 步 。
A 2 3|||S|||天 都|||REQUIRED|||-NONE-|||0
T1 没有错误
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S 他 很 很 好
T0-A0 他 很 好
A 1 2|||R|||-NONE-|||REQUIRED|||-NONE-|||0
T1 无法标注
A -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||1

