
S a b
A 0 1|||]0 L L LasL L L L C L L LasL L L L L L L LasL L L L L L L LasPWNED[31mT||||||REQUIRED|||-NONE-|||0