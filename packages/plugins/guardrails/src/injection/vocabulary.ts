import { foldWord } from "./characters.js";

/** Returns the words of a list in their folded form. */
export const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).filter(Boolean).map(foldWord));

// English, German, Spanish, French, Italian, Portuguese, Dutch, Croatian, Russian.

/** Orders not to follow something. */
export const override =
  words(`ignore ignores ignoring ignored disregard disregarding forget forgetting override overrule overriding bypass neglect discard dismiss
  ignoriere ignorieren ignorier ignorierst vergiss vergessen vergesse missachte missachten verwirf uebergehe
  ignora ignorar ignoren olvida olvide olvidar olvidate descarta omite
  ignorez oublie oubliez oublier negligez
  dimentica dimenticate ignorate scorda trascura
  esqueca esqueça desconsidere ignorem
  negeer vergeet zanemari zaboravi игнорируй игнорируйте забудь забудьте`);
/** Everyday verbs that can be such orders. */
export const weakOverride = words("skip drop omit abandon reset clear erase delete stop cease cancel replace");
export const negated = words("not dont stop never nicht no ne pas non nao nepravi");
export const follow = words(
  "follow following obey adhere listen comply befolge beachte sigas sigues suivez suis seguire seguir",
);
/** Words that tie something to the instructions before: by place, by quantity, or by their owner, the assistant. */
export const earlier =
  words(`previous previously prior preceding above earlier before all any every everything existing initial original former past foregoing your these those system developer
  vorherigen vorherige vorige vorigen obigen obige bisherigen bisherige alle allen alles vorangegangenen vorangegangene frueheren davor vorher deine
  anteriores anterior previas previos previo todas todos todo tus
  precedentes precedente précédentes précédente toutes tout tous vos antérieures
  precedenti tutte tutti tutto tue prethodne sve vorige eerdere все предыдущие`);
/** Words for the text before, as a noun: "the above". As an adjective one belongs to a noun, and that noun decides. */
export const backwards = words(
  "before previous prior above earlier preceding foregoing vorherigen vorherige vorheriges vorangegangene obigen obige bisherigen bisherige davor anterior anteriores précédent précédents precedente precede precedenti prethodne prethodno предыдущие предыдущее",
);
/** Pronouns for all of it. */
export const everything = words("everything anything alles tout todo tutto tudo sve все");
/** Words between an order and its object that are not objects themselves. */
export const particles =
  words(`the a all any of what whatever which that is was were has have been it to this please just now completely totally simply and or
  die das der den dem alle alles was bitte sie du ihr jetzt ganz sofort lo el la los las todo toda todos todas que es por favor le les ce qui tout toute toutes tous
  il gli i tutto tutta tutte quello che o os as tudo isso de het wat al sve što все всё`);
/** Words after which a noun phrase is complete, since they begin the next part of a sentence. */
export const connectors =
  words(`and or then but instead so because if when you your now just please print say write tell give translate do respond repeat
  be from will exactly verbatim word before above in und oder dann sondern du jetzt y e o luego ahora responde et ou puis réponds poi rispondi agora depois en dan`);
/** First-person words: the writer, and the writer's possessions. */
export const own =
  words(`i ive me my mine our ours we us ich wir mich mein meine meinen meinem meiner meines unser unsere unseren unserem unserer
  yo mi mis nuestro nuestra nuestros nuestras je jai mon ma mes notre nos io mio mia miei mie nostro nostra eu meu minha meus minhas nosso nossa
  ik mijn onze moj moja moje moju naš naša našu мой моя моё мое мои мою наш наша наше я`);
/** Nouns for instructions. Each alone indicates an order. */
export const instructions =
  words(`instruction instructions prompt prompts guideline guidelines direction directions directive directives programming safeguards
  anweisung anweisungen instruktionen vorgaben instruccion instrucciones indicaciones indicacion órdenes consignes istruzioni istruzione instrucoes instruções ordens
  instructies upute naredbe instrukcije инструкции указания`);
/** Instructions, or something of everyday work: it depends on whose they are. */
export const regulations =
  words(`rule rules command commands constraint constraints restriction restrictions policy policies training safety filters
  befehl befehle regel regeln anordnungen reglas regles règles ordres regole regras regels правила`);
/** Words for the conversation itself. */
export const writing = words(
  "text texts conversation context content input inputs said told wrote written texte gesagt gesagte geschrieben dicho",
);
/** Things of everyday life that can be meant as instructions, if all of them, or the assistant's, are named. */
export const matters =
  words(`message messages information task tasks assignment assignments aufgabe aufgaben information informationen auftrag auftraege auftrage
  tareas taches tâches compiti tarefas`);
/** Prepositions after which a noun is about something else than the assistant. */
export const topics = words(
  "for on about regarding concerning zu zum zur für über pour sur para sobre per su voor over",
);
export const show = words(
  `reveal show print repeat output display tell give leak disclose expose return write spell share echo recite list say provide paste dump translate summarize zeige zeig nenne wiederhole gib verrate muestra revela repite dime montre revele répète donne mostra ripeti mostre revele`,
);
export const whose = words(
  "your initial system original hidden secret internal confidential above previous full exact entire preprompt deine deinen dein urspruenglichen tus tu votre vos tuo tue sua seu",
);
export const prompt = words(
  "prompt prompts instruction instructions guidelines configuration directive directives preprompt rules message anweisungen anweisung aufforderung prompttexte instrucciones consignes istruzioni instrucoes",
);
export const ai = words(
  "ai llm chatgpt gpt gpt4 gpt4o gpt5 claude gemini copilot llama mistral assistant assistants agent agents chatbot bot model ki",
);
export const assistant = words(
  "ai ais llm llms chatgpt gpt gpt4 gpt4o gpt5 claude gemini mistral assistant assistants chatbot chatbots ki",
);
export const secretWord = words("tell mention inform reveal alert notify warn disclose show acknowledge");
export const send = words(
  "send forward email mail post upload transfer exfiltrate leak transmit submit deliver sende schicke envia envoie invia",
);
export const secrets = words(
  "password passwords key keys credentials credential secret secrets token tokens conversation history private confidential ssn passphrase mnemonic cookies env contacts inbox passwort passwoerter contrasena",
);
export const fresh = words(
  "new updated real actual true additional further secret neue neuen nuevas nuevos nouvelles nuove novas",
);
export const tasks = words(
  "instruction instructions task tasks objective objectives orders rules goal goals mission assignment directive prompt aufgabe aufgaben anweisung anweisungen instrucciones instructions istruzioni instrucoes",
);
export const role = words(
  "dan stan dude aim jailbreak jailbroken unfiltered uncensored unrestricted amoral unethical evil",
);
export const limits = words(
  "restriction restrictions limitation limitations filter filters rules ethics ethical moral guidelines boundaries censorship constraints limits einschraenkungen restricciones",
);
/** Prepositions that limit "everything" to a part: "everything after the signature". */
export const limiting = words("after in between outside except nach in außer après dans después tras dopo depois");
