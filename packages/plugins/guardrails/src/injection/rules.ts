import { foldWord } from "./characters.js";

/** A rule: words in order, with at most so many others between them, within one sentence. */
export interface Rule {
  readonly name: string;
  /** The weight by which a match says by itself that a text gives orders, from 0 to 1. */
  readonly weight: number;
  readonly steps: readonly ReadonlySet<string>[];
  /** The most words before each step; of the first none. */
  readonly gaps: readonly number[];
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).filter(Boolean).map(foldWord));

// English, German, Spanish, French, Italian, Portuguese, Dutch, Croatian, Russian.
const override =
  words(`ignore ignores ignoring ignored disregard disregarding forget forgetting override overrule overriding bypass neglect discard dismiss
  ignoriere ignorieren ignorier ignorierst vergiss vergessen vergesse missachte missachten verwirf uebergehe
  ignora ignorar ignoren olvida olvide olvidar olvidate descarta omite
  ignorez oublie oubliez oublier negligez
  dimentica dimenticate ignorate scorda trascura
  esqueca esqueça desconsidere ignorem
  negeer vergeet zanemari zaboravi игнорируй игнорируйте забудь забудьте`);
const weakOverride = words("skip drop omit abandon reset clear erase delete stop cease cancel replace");
const negated = words("not dont stop never nicht no ne pas non nao nepravi");
const follow = words(
  "follow following obey adhere listen comply befolge beachte sigas sigues suivez suis seguire seguir",
);
const earlier =
  words(`previous previously prior preceding above earlier before all any every everything existing initial original former past foregoing your these those system developer
  vorherigen vorherige vorige vorigen obigen obige bisherigen bisherige alle allen alles vorangegangenen vorangegangene frueheren davor vorher deine
  anteriores anterior previas previos previo todas todos todo tus
  precedentes precedente précédentes précédente toutes tout tous vos antérieures
  precedenti tutte tutti tutto tue prethodne sve vorige eerdere все предыдущие`);
const backwards = words(
  `previous prior above earlier preceding everything foregoing vorherigen vorherige obigen bisherigen alles anteriores anterior précédentes precedente précédente precedenti prethodne tudo предыдущие`,
);
const instructions =
  words(`instruction instructions prompt prompts rule rules guideline guidelines direction directions directive directives command commands order orders constraint constraints restriction restrictions policy policies programming training context conversation message messages text texts input inputs task tasks assignment assignments information content said told wrote written safety safeguards filters
  anweisung anweisungen befehl befehle regel regeln aufgabe aufgaben instruktionen vorgaben anordnungen information informationen texte gesagt gesagte geschrieben
  instruccion instrucciones ordenes reglas indicaciones indicacion dicho tareas
  consignes regles règles instruction ordres taches tâches
  istruzioni istruzione regole ordini compiti
  instrucoes instruções regras ordens tarefas
  instructies regels upute naredbe instrukcije auftrag auftraege auftrage инструкции правила указания`);
const show = words(
  `reveal show print repeat output display tell give leak disclose expose return write spell share echo recite list say provide paste dump translate summarize zeige zeig nenne wiederhole gib verrate muestra revela repite dime montre revele répète donne mostra ripeti mostre revele`,
);
const whose = words(
  "your initial system original hidden secret internal confidential above previous full exact entire preprompt deine deinen dein urspruenglichen tus tu votre vos tuo tue sua seu",
);
const prompt = words(
  "prompt prompts instruction instructions guidelines configuration directive directives preprompt rules message anweisungen anweisung aufforderung prompttexte instrucciones consignes istruzioni instrucoes",
);
const ai = words(
  "ai llm chatgpt gpt gpt4 gpt4o gpt5 claude gemini copilot llama mistral assistant assistants agent agents chatbot bot model ki",
);
const person = words(
  "user users human humans anyone anybody owner customer operator victim them him her benutzer nutzer usuario utilisateur",
);
const secretWord = words("tell mention inform reveal alert notify warn disclose show acknowledge");
const send = words(
  "send forward email mail post upload transfer exfiltrate leak transmit submit deliver sende schicke envia envoie invia",
);
const secrets = words(
  "password passwords key keys credentials credential secret secrets token tokens conversation history private confidential ssn passphrase mnemonic cookies env contacts inbox passwort passwoerter contrasena",
);
const fresh = words(
  "new updated real actual true additional further secret neue neuen nuevas nuevos nouvelles nuove novas",
);
const tasks = words(
  "instruction instructions task tasks objective objectives orders rules goal goals mission assignment directive prompt aufgabe aufgaben anweisung anweisungen instrucciones instructions istruzioni instrucoes",
);
const role = words("dan stan dude aim jailbreak jailbroken unfiltered uncensored unrestricted amoral unethical evil");
const limits = words(
  "restriction restrictions limitation limitations filter filters rules ethics ethical moral guidelines boundaries censorship constraints limits einschraenkungen restricciones",
);

type Step = ReadonlySet<string> | number | string;

/** A rule from its steps: words, or texts of words, and numbers of how many others may stand between. */
function rule(name: string, weight: number, ...given: readonly Step[]): Rule {
  const steps: ReadonlySet<string>[] = [];
  const gaps: number[] = [];
  let gap = 0;
  for (const step of given) {
    if (typeof step === "number") gap = step;
    else {
      steps.push(typeof step === "string" ? words(step) : step);
      gaps.push(gap);
      gap = 0;
    }
  }
  return { name, weight, steps, gaps };
}

/** The rules by which injected instructions are known. */
export const rules: readonly Rule[] = [
  rule("override", 0.9, override, 5, earlier, 3, instructions),
  rule("override", 0.65, override, 3, backwards),
  rule("override", 0.5, override, 2, "all everything alles tout todo tutto tudo"),
  rule("override", 0.5, override, 4, instructions),
  rule(
    "override",
    0.6,
    weakOverride,
    3,
    earlier,
    2,
    "instruction instructions prompt prompts rules guidelines directives orders anweisungen",
  ),
  rule("override", 0.7, negated, 2, follow, 4, earlier, 3, instructions),
  rule("new_task", 0.5, fresh, 1, tasks),
  rule("new_task", 0.3, "following folgende folgenden folgender", 1, tasks),
  rule("new_task", 0.5, "your the", 1, "new only main real next actual", 1, tasks, 1, "is are"),
  rule("new_task", 0.35, "instead stattdessen", 3, "say write print answer output do tell respond return reply"),
  rule("role", 0.4, "you youre", 1, "now", 1, "a an the in my going operating"),
  rule("role", 0.4, "you", 0, "are will", 1, "now"),
  rule("role", 0.35, "from ab", 1, "now", 1, "on an"),
  rule("role", 0.3, "pretend imagine roleplay simulate emulate impersonate", 3, "you to are be being"),
  rule("role", 0.3, "act behave respond", 1, "as like", 4, "if who ai model assistant terminal unrestricted hacker"),
  rule("role", 0.25, "your", 1, "name role persona character", 1, "is"),
  rule("role", 0.3, "du sei", 2, "bist jetzt"),
  rule("jailbreak", 0.8, "do", 0, "anything", 0, "now"),
  rule("jailbreak", 0.6, "developer god sudo admin debug maintenance jailbreak", 0, "mode"),
  rule("jailbreak", 0.45, role),
  rule("jailbreak", 0.5, "without no any ohne sin sans", 2, limits),
  rule("jailbreak", 0.4, "bypass circumvent evade disable", 4, limits),
  rule("extract", 0.65, show, 6, whose, 3, prompt),
  rule("extract", 0.5, "what whats was", 2, "your", 3, "prompt instructions guidelines directives"),
  rule("extract", 0.45, show, 5, "words text everything sentences", 2, "above before"),
  rule("extract", 0.5, "system", 0, "prompt message"),
  rule("address", 0.5, "dear attention hey hello note important message instruction instructions", 4, ai),
  rule("address", 0.6, "if", 1, "you", 1, "are", 3, ai),
  rule("address", 0.5, ai, 1, "reading processing summarizing reviewing parsing analyzing"),
  rule("address", 0.35, "message note instruction instructions", 6, "to", 0, "you"),
  rule("address", 0.45, "before", 1, "you", 2, "solve answer proceed complete continue finish respond"),
  rule("secrecy", 0.5, negated, 1, secretWord, 4, person),
  rule("secrecy", 0.45, "without", 1, "asking telling informing notifying alerting mentioning"),
  rule("exfiltrate", 0.45, send, 6, secrets),
  rule("exfiltrate", 0.3, send, 6, "to"),
  rule("order", 0.3, "you", 0, "must should shall", 1, "now always never not only immediately also"),
  rule(
    "override",
    0.6,
    "change leave remove",
    2,
    "your all previous",
    3,
    "instructions prompt rules tasks information",
  ),
  rule("order", 0.55, "not dont", 1, "answer look use", 8, "just only instead", 1, "output say print write"),
  rule("role", 0.4, "now jetzt nun", 0, "you bist", 0, "are du"),
  rule("order", 0.35, "important urgent critical", 1, "instruction instructions"),
];

/** All words that a rule looks for. */
export const knownWords: ReadonlySet<string> = new Set(
  rules.flatMap(({ steps }) => steps.flatMap((step) => [...step])),
);

/** Orders to forget what was said, in languages that put no spaces between words. */
export const phrases: readonly string[] = [
  "忽略之前",
  "忽略以上",
  "忽略上述",
  "忽略所有",
  "忽略先前",
  "忘记之前",
  "无视之前",
  "无视以上",
  "系统提示",
  "以前の指示を無視",
  "これまでの指示",
  "指示を無視",
  "システムプロンプト",
  "이전 지시",
  "이전의 지시",
  "지시를 무시",
  "시스템 프롬프트",
];
