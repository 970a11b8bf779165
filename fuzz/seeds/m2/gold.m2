S Last summer I have visited my aunt Teresa , who live near the sea .
A 3 5|||Vt|||visited|||REQUIRED|||-NONE-|||0
A 10 11|||SVA|||lives|||REQUIRED|||-NONE-|||0
A 3 4|||Vt|||-NONE-|||REQUIRED|||-NONE-|||1
A 10 11|||SVA|||lives|||REQUIRED|||-NONE-|||1

S My teacher gave me many advices about how to writing a CV .
A 4 6|||Nn|||a lot of advice||plenty of advice|||REQUIRED|||-NONE-|||0
A 9 10|||Vform|||write|||REQUIRED|||-NONE-|||0
A 4 6|||Nn|||some advice|||REQUIRED|||-NONE-|||1
A 6 7|||Prep|||on|||REQUIRED|||-NONE-|||1
A 9 10|||Vform|||write|||REQUIRED|||-NONE-|||1

S The museum is closed on Mondays , but the garden is always open .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S I am working in this company since three years .
A 1 2|||Vt|||have been|||REQUIRED|||-NONE-|||0
A 3 4|||Prep|||at||for|||REQUIRED|||-NONE-|||0
A 6 7|||Prep|||for|||REQUIRED|||-NONE-|||0
A 1 3|||Vt|||have worked|||REQUIRED|||-NONE-|||1
A 3 4|||Prep|||at|||REQUIRED|||-NONE-|||1
A 6 7|||Prep|||for|||REQUIRED|||-NONE-|||1

S He do n't like to spend alot of time in the office .
A 1 2|||SVA|||does|||REQUIRED|||-NONE-|||0
A 6 7|||Mec|||a lot|||REQUIRED|||-NONE-|||0
A 1 2|||SVA|||does|||REQUIRED|||-NONE-|||1
A 6 7|||Mec|||a lot|||REQUIRED|||-NONE-|||1

S I was a child , I wanted to become pilot .
A 0 0|||Trans|||When|||REQUIRED|||-NONE-|||0
A 9 9|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 0 0|||Trans|||When|||REQUIRED|||-NONE-|||1
A 9 10|||ArtOrDet|||a pilot|||REQUIRED|||-NONE-|||1

S Although the hotel was expensive , but the room was very small and there was not hot water .
A 6 7|||Trans|||-NONE-|||REQUIRED|||-NONE-|||0
A 15 16|||Wci|||no|||REQUIRED|||-NONE-|||0
