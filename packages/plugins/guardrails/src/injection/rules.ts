import {
  ai,
  assistant,
  backwards,
  connectors,
  earlier,
  everything,
  follow,
  fresh,
  instructions,
  limiting,
  limits,
  matters,
  negated,
  override,
  own,
  particles,
  prompt,
  regulations,
  role,
  secrets,
  secretWord,
  send,
  show,
  tasks,
  topics,
  weakOverride,
  whose,
  words,
  writing,
} from "./vocabulary.js";

/** The conditions on the words around a match. */
interface Conditions {
  /** The only words that may stand between two steps. */
  readonly between?: ReadonlySet<string>;
  /** Words that are neither between the first step and the last nor directly after it. */
  readonly without?: ReadonlySet<string>;
  /** One of these words follows, if the sentence continues without a comma. */
  readonly next?: ReadonlySet<string>;
  /** The punctuation mark that follows. */
  readonly mark?: string;
  /** Words that do not follow directly. */
  readonly notNext?: ReadonlySet<string>;
}

/** A rule: words in order, with at most so many others between them, within one sentence. */
export interface Rule extends Conditions {
  readonly name: string;
  /** The score of a match on its own, from 0 to 1. */
  readonly weight: number;
  readonly steps: readonly ReadonlySet<string>[];
  /** The maximum number of words before each step, 0 for the first. */
  readonly gaps: readonly number[];
}

type Step = ReadonlySet<string> | number | string | Conditions;

/**
 * Makes a rule of its steps: words, or strings of words, numbers of how many others may stand between, and conditions.
 */
function rule(name: string, weight: number, ...ruleSteps: readonly Step[]): Rule {
  const steps: ReadonlySet<string>[] = [];
  const gaps: number[] = [];
  let conditions: Conditions = {};
  let gap = 0;
  for (const step of ruleSteps) {
    if (typeof step === "number") gap = step;
    else if (typeof step === "string" || step instanceof Set) {
      steps.push(typeof step === "string" ? words(step) : step);
      gaps.push(gap);
      gap = 0;
    } else conditions = step as Conditions;
  }
  return { name, weight, steps, gaps, ...conditions };
}

/** The object is complete here: no noun follows that would make the last word an adjective. */
const complete = { next: connectors };
const notOwn = { without: own };

/** Words that mark rules as the assistant's: its own, all of them, or earlier ones. */
const bound = words(`your all any every these those system developer previous prior above existing given
  deine deinen deiner alle allen obigen vorherigen bisherigen tus todas votre vos toutes tue tutte suas todas je alle tvoje sve все твои ваши`);

/**
 * The rules that recognise injected instructions. To ignore or forget something is such an order if it refers
 * to the assistant's instructions or to everything before. It is no such order if it refers to the writer's own
 * message, question or order, or to a thing such as a mail. So the object decides: a noun for instructions, or "the
 * above" and "everything" without a noun.
 */
export const rules: readonly Rule[] = [
  rule("override", 0.9, override, 5, earlier, 3, instructions),
  rule("override", 0.9, override, 4, bound, 2, regulations, notOwn),
  rule("override", 0.6, override, 2, regulations, 3, "you", 3, "given told have follow got received", notOwn),
  rule("override", 0.7, override, 5, earlier, 3, writing, notOwn),
  rule("override", 0.7, override, 3, writing, 2, backwards, { ...notOwn, ...complete }),
  rule(
    "override",
    0.7,
    override,
    3,
    "all any every your alle allen deine todas tus toutes tutte",
    2,
    matters,
    2,
    backwards,
    { ...notOwn, ...complete },
  ),
  rule("override", 0.7, override, 3, "all any every alle allen todas toutes tutte", 1, backwards, 1, matters, notOwn),
  rule(
    "override",
    0.6,
    override,
    1,
    "your deine deinen tus vos",
    1,
    "orders tasks assignment aufgaben auftrag tareas taches tâches",
  ),
  rule("override", 0.7, override, 2, "all any every", 1, "preceding prior above foregoing", 1, "orders"),
  rule("override", 0.65, override, 3, backwards, { between: particles, without: own, next: connectors }),
  rule("override", 0.65, override, 2, everything, {
    between: particles,
    without: own,
    notNext: new Set([...topics, ...limiting]),
  }),
  rule("override", 0.65, override, 2, "what all everything anything", 1, "you", 3, "told learned learnt know given"),
  rule("override", 0.5, override, 2, "all alle", { between: particles, without: own, next: connectors }),
  rule("override", 0.5, override, 4, instructions),
  rule(
    "override",
    0.6,
    weakOverride,
    3,
    earlier,
    2,
    "instruction instructions prompt prompts rules guidelines directives anweisungen",
  ),
  rule("override", 0.7, negated, 2, follow, 4, earlier, 3, instructions),
  rule("override", 0.7, negated, 2, follow, 4, bound, 3, regulations, notOwn),
  rule("override", 0.7, negated, 2, follow, 4, bound, 3, new Set([...writing, ...matters]), notOwn),
  rule("override", 0.6, "change leave remove", 2, "your all previous", 3, "instructions prompt rules", notOwn),
  rule("new_task", 0.5, "here these your", 4, fresh, 1, tasks, notOwn),
  rule(
    "new_task",
    0.5,
    fresh,
    1,
    "instruction instructions rules orders directive directives prompt anweisung anweisungen instrucciones istruzioni instrucoes",
    { mark: ":", without: own },
  ),
  rule("new_task", 0.3, fresh, 1, tasks),
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
  rule(
    "jailbreak",
    0.5,
    "answer answers respond reply speak talk write act behave you ai llm chatbot antworte responde reponds",
    6,
    "without no ohne sin sans",
    2,
    limits,
  ),
  rule("jailbreak", 0.4, "without no any ohne sin sans", 2, limits),
  rule("jailbreak", 0.4, "bypass circumvent evade disable", 4, limits),
  rule("extract", 0.65, show, 6, whose, 3, prompt, { without: own, notNext: topics }),
  rule("extract", 0.65, show, 6, "system hidden secret", 3, prompt),
  rule("extract", 0.5, "what whats was", 2, "your", 3, "prompt instructions guidelines directives", complete),
  rule("extract", 0.5, show, 5, "words text everything sentences", 2, "above before", notOwn),
  rule("extract", 0.5, "your", 1, "system", 0, "prompt message"),
  rule("extract", 0.5, "what whats which", 3, "system", 0, "prompt", complete),
  rule("extract", 0.3, "system", 0, "prompt message"),
  rule(
    "address",
    0.5,
    "attention note important message instruction instructions",
    2,
    "to for all any the",
    2,
    assistant,
  ),
  rule("address", 0.5, "dear attention", 1, assistant),
  rule("address", 0.3, "dear attention hey hello note important message instruction instructions", 4, ai),
  rule("address", 0.6, "if", 1, "you", 1, "are", 3, ai),
  rule("address", 0.5, ai, 1, "reading processing summarizing reviewing parsing analyzing"),
  rule("address", 0.35, "message note instruction instructions", 6, "to", 0, "you"),
  rule("address", 0.45, "before", 1, "you", 2, "solve answer proceed complete continue finish respond"),
  rule(
    "secrecy",
    0.5,
    negated,
    1,
    secretWord,
    4,
    "user users human humans owner operator victim benutzer nutzer usuario utilisateur",
  ),
  rule("secrecy", 0.3, negated, 1, secretWord, 4, "anyone anybody customer them him her"),
  rule("secrecy", 0.45, "without", 1, "asking telling informing notifying alerting mentioning"),
  rule("exfiltrate", 0.45, send, 6, secrets),
  rule("exfiltrate", 0.3, send, 6, "to"),
  rule("order", 0.3, "you", 0, "must should shall", 1, "now always never not only immediately also"),
  rule("order", 0.55, "not dont", 1, "answer look use", 8, "just only instead", 1, "output say print write"),
  rule("role", 0.4, "now jetzt nun", 0, "you bist", 0, "are du"),
  rule("order", 0.35, "important urgent critical", 1, "instruction instructions"),
];

/** All words that a rule looks for. */
export const knownWords: ReadonlySet<string> = new Set(
  rules.flatMap(({ steps }) => steps.flatMap((step) => [...step])),
);

/** Orders to forget earlier instructions, in languages without spaces between words. */
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
