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
A 0 2|||Trans|||The|||REQUIRED|||-NONE-|||1
A 15 16|||Wci|||n't any||no|||REQUIRED|||-NONE-|||1

S The meeting have been postponed untill next wednesday because of the manager is ill .
A 2 3|||SVA|||has|||REQUIRED|||-NONE-|||0
A 5 6|||Mec|||until|||REQUIRED|||-NONE-|||0
A 7 8|||Mec|||Wednesday|||REQUIRED|||-NONE-|||0
A 9 10|||Prep|||-NONE-|||REQUIRED|||-NONE-|||0
A 2 3|||SVA|||has|||REQUIRED|||-NONE-|||1
A 5 6|||Mec|||until||to|||REQUIRED|||-NONE-|||1
A 7 8|||Mec|||Wednesday|||REQUIRED|||-NONE-|||1
A 9 10|||Prep|||-NONE-|||REQUIRED|||-NONE-|||1

S Thank you for your quick reply .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S She explained me how does the new printer works .
A 2 2|||Prep|||to|||REQUIRED|||-NONE-|||0
A 4 5|||WOinc|||-NONE-|||REQUIRED|||-NONE-|||0
A 1 2|||Wci|||showed|||REQUIRED|||-NONE-|||1
A 4 5|||WOinc|||-NONE-|||REQUIRED|||-NONE-|||1

S We met in a small café near of the station and talked during two hours .
A 7 8|||Prep|||-NONE-|||REQUIRED|||-NONE-|||0
A 12 13|||Prep|||for|||REQUIRED|||-NONE-|||0
A 7 8|||Prep|||-NONE-|||REQUIRED|||-NONE-|||1
A 12 13|||Prep|||for|||REQUIRED|||-NONE-|||1

S The battery lasts longer if you turn off the screen when you are not using it .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S In my opinion , goverment should to invest more money in the public transports .
A 4 4|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 4 5|||Mec|||government|||REQUIRED|||-NONE-|||0
A 6 7|||Vm|||-NONE-|||REQUIRED|||-NONE-|||0
A 11 12|||ArtOrDet|||-NONE-|||REQUIRED|||-NONE-|||0
A 13 14|||Nn|||transport|||REQUIRED|||-NONE-|||0
A 4 5|||Mec|||governments|||REQUIRED|||-NONE-|||1
A 6 7|||Vm|||-NONE-|||REQUIRED|||-NONE-|||1
A 9 10|||Rloc-|||-NONE-|||REQUIRED|||-NONE-|||1
A 11 14|||Nn|||public transport|||REQUIRED|||-NONE-|||1
A 4 5|||Mec|||the government|||REQUIRED|||-NONE-|||2
A 6 7|||Vm|||-NONE-|||REQUIRED|||-NONE-|||2
A 11 14|||Wci|||public transportation|||REQUIRED|||-NONE-|||2

S My brother is more taller than me , but I run more fast .
A 3 4|||Rloc-|||-NONE-|||REQUIRED|||-NONE-|||0
A 11 13|||Wform|||faster|||REQUIRED|||-NONE-|||0
A 3 4|||Rloc-|||-NONE-|||REQUIRED|||-NONE-|||1
A 11 13|||Wform|||faster|||REQUIRED|||-NONE-|||1

S Best regard
A 1 2|||Nn|||regards|||REQUIRED|||-NONE-|||0
A 1 2|||Nn|||regards|||REQUIRED|||-NONE-|||1
A 2 2|||Mec|||,|||REQUIRED|||-NONE-|||1

S Nowadays the peoples are using their phones all the time , even when they are eating with his family .
A 1 3|||Nn|||people|||REQUIRED|||-NONE-|||0
A 3 5|||Vt|||use|||REQUIRED|||-NONE-|||0
A 17 18|||Pref|||their|||REQUIRED|||-NONE-|||0
A 18 19|||Nn|||families|||REQUIRED|||-NONE-|||0
A 1 1|||Mec|||,|||REQUIRED|||-NONE-|||1
A 1 3|||Nn|||people|||REQUIRED|||-NONE-|||1
A 17 18|||Pref|||their|||REQUIRED|||-NONE-|||1
A 18 19|||Nn|||families|||REQUIRED|||-NONE-|||1

S If I would have more free time , I will learn to play a piano .
A 2 4|||Vt|||had|||REQUIRED|||-NONE-|||0
A 9 10|||Vm|||would|||REQUIRED|||-NONE-|||0
A 13 14|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 2 4|||Vt|||had|||REQUIRED|||-NONE-|||1
A 9 10|||Vm|||would|||REQUIRED|||-NONE-|||1
A 13 14|||ArtOrDet|||the|||REQUIRED|||-NONE-|||1

S The film was long but I enjoyed it very much .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A 4 4|||Mec|||,|||REQUIRED|||-NONE-|||1

S Doctor said me that I must to drink more water and avoid to eat late at night .
A 0 1|||ArtOrDet|||The doctor|||REQUIRED|||-NONE-|||0
A 1 2|||Wci|||told|||REQUIRED|||-NONE-|||0
A 6 7|||Vm|||-NONE-|||REQUIRED|||-NONE-|||0
A 12 14|||Vform|||eating|||REQUIRED|||-NONE-|||0
A 0 1|||ArtOrDet|||My doctor|||REQUIRED|||-NONE-|||1
A 1 2|||Wci|||told|||REQUIRED|||-NONE-|||1
A 3 7|||Wci|||to|||REQUIRED|||-NONE-|||1
A 12 14|||Vform|||eating|||REQUIRED|||-NONE-|||1

S I look forward to hear from you soon
A 4 5|||Vform|||hearing|||REQUIRED|||-NONE-|||0
A 8 8|||Mec|||.|||REQUIRED|||-NONE-|||0
A 4 5|||Vform|||hearing|||REQUIRED|||-NONE-|||1
A 8 8|||Mec|||.|||REQUIRED|||-NONE-|||1

S Could you tell me where the nearest pharmacy is ?
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S When I was arrived at the airport , I realised that I forgot my passport in home .
A 2 3|||Vform|||-NONE-|||REQUIRED|||-NONE-|||0
A 12 13|||Wci|||had left|||REQUIRED|||-NONE-|||0
A 15 16|||Prep|||at|||REQUIRED|||-NONE-|||0
A 2 3|||Vform|||-NONE-|||REQUIRED|||-NONE-|||1
A 12 13|||Vt|||had forgotten|||REQUIRED|||-NONE-|||1
A 15 17|||Rloc-|||-NONE-|||REQUIRED|||-NONE-|||1

S There is many reason why people prefer to live in big citys instead than in countryside .
A 1 2|||SVA|||are|||REQUIRED|||-NONE-|||0
A 3 4|||Nn|||reasons|||REQUIRED|||-NONE-|||0
A 11 12|||Mec|||cities|||REQUIRED|||-NONE-|||0
A 12 13|||Wci|||rather|||REQUIRED|||-NONE-|||0
A 15 15|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 1 2|||SVA|||are|||REQUIRED|||-NONE-|||1
A 3 4|||Nn|||reasons|||REQUIRED|||-NONE-|||1
A 11 12|||Nn|||cities|||REQUIRED|||-NONE-|||1
A 12 14|||Wci|||rather than||instead of|||REQUIRED|||-NONE-|||1
A 15 15|||ArtOrDet|||the|||REQUIRED|||-NONE-|||1

S I was naïve enough to beleive that the room price include the breakfast .
A 5 6|||Mec|||believe|||REQUIRED|||-NONE-|||0
A 10 11|||Vt|||included|||REQUIRED|||-NONE-|||0
A 11 12|||ArtOrDet|||-NONE-|||REQUIRED|||-NONE-|||0
A 5 6|||Mec|||believe|||REQUIRED|||-NONE-|||1
A 10 11|||Vt|||included|||REQUIRED|||-NONE-|||1
A 11 12|||ArtOrDet|||-NONE-|||REQUIRED|||-NONE-|||1

S Where you did go yesterday evening ?
A 1 3|||WOinc|||did you|||REQUIRED|||-NONE-|||0
A 1 3|||WOinc|||did you|||REQUIRED|||-NONE-|||1

S The new software help us to save time and we can working from home .
A 3 4|||SVA|||helps|||REQUIRED|||-NONE-|||0
A 8 8|||Mec|||,|||REQUIRED|||-NONE-|||0
A 11 12|||Vform|||work|||REQUIRED|||-NONE-|||0
A 3 4|||SVA|||helps|||REQUIRED|||-NONE-|||1
A 9 12|||Spar|||to work|||REQUIRED|||-NONE-|||1

S My grandmother , she is 84 years old , still goes to swimming every mornings .
A 3 4|||Pform|||who|||REQUIRED|||-NONE-|||0
A 11 12|||Prep|||-NONE-|||REQUIRED|||-NONE-|||0
A 14 15|||Nn|||morning|||REQUIRED|||-NONE-|||0
A 3 4|||Pform|||who|||REQUIRED|||-NONE-|||1
A 11 13|||Prep|||swimming|||REQUIRED|||-NONE-|||1
A 14 15|||Nn|||morning|||REQUIRED|||-NONE-|||1

S Hope you are well .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A 0 1|||Sfrag|||I hope|||REQUIRED|||-NONE-|||1

S Yesterday I buyed a new laptop , it is very fast , the battery lasts all day .
A 2 3|||Vform|||bought|||REQUIRED|||-NONE-|||0
A 6 7|||Srun|||.|||REQUIRED|||-NONE-|||0
A 7 8|||Mec|||It|||REQUIRED|||-NONE-|||0
A 11 12|||Srun|||and|||REQUIRED|||-NONE-|||0
A 2 3|||Vform|||bought|||REQUIRED|||-NONE-|||1
A 6 8|||Srun|||that|||REQUIRED|||-NONE-|||1
A 12 12|||Srun|||and|||REQUIRED|||-NONE-|||1

S The ticket costed me £ 45 , what is too much expensive for a student .
A 2 3|||Vform|||cost|||REQUIRED|||-NONE-|||0
A 7 8|||Pform|||which|||REQUIRED|||-NONE-|||0
A 9 11|||WOadv|||much too|||REQUIRED|||-NONE-|||0
A 2 3|||Vform|||cost|||REQUIRED|||-NONE-|||1
A 7 8|||Pform|||which|||REQUIRED|||-NONE-|||1
A 10 11|||Rloc-|||-NONE-|||REQUIRED|||-NONE-|||1

S What a lovely surprise !
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S She is very interesting in the history of art .
A 3 4|||Wform|||interested|||REQUIRED|||-NONE-|||0
A 3 4|||Wform|||interested|||REQUIRED|||-NONE-|||1

S I got home , my dog jumped on me and started to licking my face .
A 0 0|||Trans|||When|||REQUIRED|||-NONE-|||0
A 11 13|||Vform|||licking|||REQUIRED|||-NONE-|||0
A 0 0|||Trans|||As soon as|||REQUIRED|||-NONE-|||1
A 12 13|||Vform|||lick|||REQUIRED|||-NONE-|||1
A 4 4|||Srun|||and|||REQUIRED|||-NONE-|||2
A 11 12|||Vform|||-NONE-|||REQUIRED|||-NONE-|||2

S Can you borrow me your pen for a moment ?
A 2 3|||Wci|||lend|||REQUIRED|||-NONE-|||0
A 1 2|||Pref|||I|||REQUIRED|||-NONE-|||1
A 3 4|||Pref|||-NONE-|||REQUIRED|||-NONE-|||1

S Eventhough it was raining , we decided go for a walk in the forest .
A 0 1|||Mec|||Even though||Although|||REQUIRED|||-NONE-|||0
A 7 7|||Vform|||to|||REQUIRED|||-NONE-|||0
A 0 1|||Mec|||Even though|||REQUIRED|||-NONE-|||1
A 7 7|||Vform|||to|||REQUIRED|||-NONE-|||1

S Informations about the course is available in the website of the university .
A 0 1|||Nn|||Information|||REQUIRED|||-NONE-|||0
A 6 7|||Prep|||on|||REQUIRED|||-NONE-|||0
A 0 1|||Nn|||Information|||REQUIRED|||-NONE-|||1
A 6 12|||Npos|||on the university 's website||at the university 's website|||REQUIRED|||-NONE-|||1
A 0 1|||Nn|||Information|||REQUIRED|||-NONE-|||2
A 6 7|||Prep|||on|||REQUIRED|||-NONE-|||2
A 8 12|||Wci|||university website|||REQUIRED|||-NONE-|||2

S People who exercise regularly usually sleep better and they are less stressed .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A 8 9|||Rloc-|||-NONE-|||REQUIRED|||-NONE-|||1

S I am agree with you , however we should to consider also the costs .
A 1 2|||Vform|||-NONE-|||REQUIRED|||-NONE-|||0
A 5 6|||Srun|||;|||REQUIRED|||-NONE-|||0
A 7 7|||Mec|||,|||REQUIRED|||-NONE-|||0
A 9 12|||WOadv|||also consider|||REQUIRED|||-NONE-|||0
A 1 2|||Vform|||-NONE-|||REQUIRED|||-NONE-|||1
A 6 7|||Trans|||but|||REQUIRED|||-NONE-|||1
A 9 10|||Vm|||-NONE-|||REQUIRED|||-NONE-|||1
A 10 12|||WOadv|||also consider|||REQUIRED|||-NONE-|||1

S Since the new bus line was opened last year , I have been able to get to work in less than half an hour , even when the traffic is bad .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S One of the most important thing in life are a good health .
A 5 6|||Nn|||things|||REQUIRED|||-NONE-|||0
A 8 9|||SVA|||is|||REQUIRED|||-NONE-|||0
A 9 10|||ArtOrDet|||-NONE-|||REQUIRED|||-NONE-|||0
A 5 6|||Nn|||things|||REQUIRED|||-NONE-|||1
A 8 9|||SVA|||is|||REQUIRED|||-NONE-|||1
A 9 10|||ArtOrDet|||-NONE-|||REQUIRED|||-NONE-|||1

S The student which won the prize come from Nepal and study medecine .
A 2 3|||Pform|||who|||REQUIRED|||-NONE-|||0
A 6 7|||SVA|||comes|||REQUIRED|||-NONE-|||0
A 10 11|||SVA|||studies|||REQUIRED|||-NONE-|||0
A 11 12|||Mec|||medicine|||REQUIRED|||-NONE-|||0
A 2 3|||Pform|||who||that|||REQUIRED|||-NONE-|||1
A 6 7|||SVA|||comes|||REQUIRED|||-NONE-|||1
A 10 11|||SVA|||studies||is studying|||REQUIRED|||-NONE-|||1
A 11 12|||Mec|||medicine|||REQUIRED|||-NONE-|||1

S I usually take the bus to work because it is cheaper than driving the car .
A 13 15|||Rloc-|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S Please do not hesitate contact me if you will have any further questions .
A 4 4|||Vform|||to|||REQUIRED|||-NONE-|||0
A 8 9|||Vt|||-NONE-|||REQUIRED|||-NONE-|||0
A 4 4|||Vform|||to|||REQUIRED|||-NONE-|||1
A 8 10|||Vt|||have||should have|||REQUIRED|||-NONE-|||1

S The weather was so beautifull that we spent all the day at beach .
A 4 5|||Mec|||beautiful|||REQUIRED|||-NONE-|||0
A 8 11|||Wci|||the whole day|||REQUIRED|||-NONE-|||0
A 12 12|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 4 5|||Mec|||beautiful|||REQUIRED|||-NONE-|||1
A 9 10|||ArtOrDet|||-NONE-|||REQUIRED|||-NONE-|||1
A 12 12|||ArtOrDet|||the|||REQUIRED|||-NONE-|||1

S I have 25 years old and I studying engineering in Hanoi .
A 1 2|||Wci|||am|||REQUIRED|||-NONE-|||0
A 7 7|||V0|||am|||REQUIRED|||-NONE-|||0
A 1 2|||Wci|||am|||REQUIRED|||-NONE-|||1
A 7 7|||V0|||am|||REQUIRED|||-NONE-|||1

S He asked whether he could leave early as he was feeling sick .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A 7 8|||Trans|||because|||REQUIRED|||-NONE-|||1

S He suggested me to take the early train for not to be late .
A 2 4|||Vform|||that I|||REQUIRED|||-NONE-|||0
A 8 9|||Wci|||so as|||REQUIRED|||-NONE-|||0
A 1 2|||Wci|||advised|||REQUIRED|||-NONE-|||1
A 8 11|||Wci|||so that I would not|||REQUIRED|||-NONE-|||1

S Internet has changed the way how we communicate each other .
A 0 0|||ArtOrDet|||The|||REQUIRED|||-NONE-|||0
A 5 6|||Rloc-|||-NONE-|||REQUIRED|||-NONE-|||0
A 8 8|||Prep|||with|||REQUIRED|||-NONE-|||0
A 0 1|||ArtOrDet|||The internet|||REQUIRED|||-NONE-|||1
A 3 6|||Wci|||how|||REQUIRED|||-NONE-|||1
A 8 8|||Prep|||with|||REQUIRED|||-NONE-|||1

S She has been learning Spanish for two years and already speaks it well .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S The child were playing in the garden when it starts to rain .
A 1 2|||Nn|||children|||REQUIRED|||-NONE-|||0
A 9 10|||Vt|||started|||REQUIRED|||-NONE-|||0
A 2 3|||SVA|||was|||REQUIRED|||-NONE-|||1
A 9 12|||Vt|||started raining|||REQUIRED|||-NONE-|||1

S I would like to apply for the position of assistant teacher who was published in your web site .
A 11 12|||Pform|||that|||REQUIRED|||-NONE-|||0
A 13 15|||Wci|||advertised on|||REQUIRED|||-NONE-|||0
A 16 18|||Mec|||website|||REQUIRED|||-NONE-|||0
A 11 14|||Pform|||advertised|||REQUIRED|||-NONE-|||1
A 14 15|||Prep|||on|||REQUIRED|||-NONE-|||1
A 16 18|||Mec|||website|||REQUIRED|||-NONE-|||1

S My father works as engineer in a car factory since he was young .
A 2 3|||Vt|||has worked|||REQUIRED|||-NONE-|||0
A 4 4|||ArtOrDet|||an|||REQUIRED|||-NONE-|||0
A 2 3|||Vt|||has worked|||REQUIRED|||-NONE-|||1
A 4 4|||ArtOrDet|||an|||REQUIRED|||-NONE-|||1

S The food in that restaurant was delicious , specially the soup and the deserts .
A 8 9|||Wform|||especially|||REQUIRED|||-NONE-|||0
A 13 14|||Mec|||desserts|||REQUIRED|||-NONE-|||0
A 8 9|||Wform|||especially|||REQUIRED|||-NONE-|||1
A 13 14|||Mec|||desserts|||REQUIRED|||-NONE-|||1

S In the other hand , working in night shifts can damage seriously the health of the nurses , who often sleeps less than five hours and has not enough time to recover theirself before the next shift .
A 0 1|||Prep|||On|||REQUIRED|||-NONE-|||0
A 6 7|||Prep|||-NONE-|||REQUIRED|||-NONE-|||0
A 10 12|||WOadv|||seriously damage|||REQUIRED|||-NONE-|||0
A 15 16|||ArtOrDet|||-NONE-|||REQUIRED|||-NONE-|||0
A 20 21|||SVA|||sleep|||REQUIRED|||-NONE-|||0
A 26 28|||Vform|||do not have|||REQUIRED|||-NONE-|||0
A 32 33|||Rloc-|||-NONE-|||REQUIRED|||-NONE-|||0
A 0 1|||Prep|||On|||REQUIRED|||-NONE-|||1
A 5 7|||Prep|||working||doing|||REQUIRED|||-NONE-|||1
A 10 12|||WOadv|||seriously damage|||REQUIRED|||-NONE-|||1
A 15 16|||ArtOrDet|||-NONE-|||REQUIRED|||-NONE-|||1
A 20 21|||SVA|||sleep|||REQUIRED|||-NONE-|||1
A 26 29|||Wci|||have too little|||REQUIRED|||-NONE-|||1
A 32 33|||Rloc-|||-NONE-|||REQUIRED|||-NONE-|||1
A 0 1|||Prep|||On|||REQUIRED|||-NONE-|||2
A 6 7|||Prep|||-NONE-|||REQUIRED|||-NONE-|||2
A 10 12|||Wci|||do serious damage to|||REQUIRED|||-NONE-|||2
A 15 16|||ArtOrDet|||-NONE-|||REQUIRED|||-NONE-|||2
A 20 21|||SVA|||sleep|||REQUIRED|||-NONE-|||2
A 26 28|||Vform|||do not have|||REQUIRED|||-NONE-|||2
A 32 33|||Rloc-|||-NONE-|||REQUIRED|||-NONE-|||2
A 34 35|||ArtOrDet|||their|||REQUIRED|||-NONE-|||2

S We need to discuss about the budget before Friday .
A 4 5|||Prep|||-NONE-|||REQUIRED|||-NONE-|||0
A 3 4|||Wci|||talk|||REQUIRED|||-NONE-|||1

S I do not know what should I do .
A 5 7|||WOinc|||I should|||REQUIRED|||-NONE-|||0
A 5 7|||WOinc|||to|||REQUIRED|||-NONE-|||1

S Thanks for invite me to you 're party , I will be happy to coming .
A 2 3|||Vform|||inviting|||REQUIRED|||-NONE-|||0
A 5 7|||Mec|||your|||REQUIRED|||-NONE-|||0
A 8 9|||Srun|||.|||REQUIRED|||-NONE-|||0
A 14 15|||Vform|||come|||REQUIRED|||-NONE-|||0
A 2 3|||Vform|||inviting|||REQUIRED|||-NONE-|||1
A 5 7|||Mec|||your|||REQUIRED|||-NONE-|||1
A 8 9|||Srun|||;|||REQUIRED|||-NONE-|||1
A 10 11|||Vm|||would|||REQUIRED|||-NONE-|||1
A 14 15|||Vform|||come|||REQUIRED|||-NONE-|||1

S Her English are better than mine because she practice it everyday with her neigbours .
A 2 3|||SVA|||is|||REQUIRED|||-NONE-|||0
A 8 9|||SVA|||practises||practices|||REQUIRED|||-NONE-|||0
A 10 11|||Mec|||every day|||REQUIRED|||-NONE-|||0
A 13 14|||Mec|||neighbours|||REQUIRED|||-NONE-|||0
A 2 3|||SVA|||is|||REQUIRED|||-NONE-|||1
A 8 9|||Wci|||speaks|||REQUIRED|||-NONE-|||1
A 10 11|||Mec|||every day|||REQUIRED|||-NONE-|||1
A 13 14|||Mec|||neighbours|||REQUIRED|||-NONE-|||1

S The number of accidents have increased dramaticly in last ten years , so that the police must to do something against it .
A 4 5|||SVA|||has|||REQUIRED|||-NONE-|||0
A 6 7|||Mec|||dramatically|||REQUIRED|||-NONE-|||0
A 8 8|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 13 14|||Trans|||-NONE-|||REQUIRED|||-NONE-|||0
A 17 18|||Vm|||-NONE-|||REQUIRED|||-NONE-|||0
A 20 21|||Prep|||about|||REQUIRED|||-NONE-|||0
A 4 5|||SVA|||has|||REQUIRED|||-NONE-|||1
A 6 7|||Mec|||dramatically|||REQUIRED|||-NONE-|||1
A 8 8|||ArtOrDet|||the|||REQUIRED|||-NONE-|||1
A 12 14|||Trans|||so|||REQUIRED|||-NONE-|||1
A 17 18|||Vm|||-NONE-|||REQUIRED|||-NONE-|||1
A 20 21|||Prep|||about|||REQUIRED|||-NONE-|||1

S What means this word ?
A 1 4|||WOinc|||does this word mean|||REQUIRED|||-NONE-|||0
A 1 2|||Wci|||is the meaning of|||REQUIRED|||-NONE-|||1

