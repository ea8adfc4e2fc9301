import type { ModelAnswer, ScriptedPart } from "../../server/answer.js";
import type { Cutting } from "../../server/cutting.js";
import { expectEqual } from "../expect.js";
import { holding, type StreamedKind } from "../holding.js";
import { type Scenario, scenario, type Try } from "../scenario.js";
import type { Attempt, Capability, Observed, SeenPiece, Subject } from "../subject.js";
import { recordingTool } from "./texts.js";

const textPart = (text: string): ScriptedPart => ({ type: "text", text });
const thought = (content: string): ScriptedPart => ({ type: "reasoning", content, signature: "signed" });
const called = (id: string, name: string): ScriptedPart => ({
  type: "tool_call",
  id,
  name: "look",
  arguments: { name },
});

/** Answers whose parts could be split, joined or reordered, by their content. */
const answers: Readonly<Record<string, { readonly parts: readonly ScriptedPart[]; readonly tools?: true }>> = {
  "several texts": {
    parts: [textPart("The meeting is on Monday"), textPart(" at ten, in room seven"), textPart(", says the page.")],
  },
  "reasoning, then text": { parts: [thought("I should greet them"), textPart("Good morning to you")] },
  "reasoning and text, then calls": {
    parts: [
      thought("I should look it up"),
      textPart("Let me look that up"),
      called("call_a", "Ada"),
      called("call_b", "Eve"),
    ],
    tools: true,
  },
};

const cuttings: readonly Cutting[] = ["characters", 2, 5, 100];
const kinds: readonly StreamedKind[] = ["model", "reasoning", "agent"];
const needed: readonly Capability[] = ["model", "stream", "parts"];
const promise = "the same parts in the same order, where a stage holds text back";

/** Answers with several parts, with a stage that holds text back and changes nothing. */
export const parts: readonly Scenario[] = [
  ...Object.entries(answers).flatMap(([name, { parts: content, tools = false }]) =>
    [false, true].map((interleaved) =>
      scenario(
        `${name}${interleaved ? ", open at once" : ""}: ${promise}`,
        tools ? [...needed, "tools"] : needed,
        async (tryIt, subject) => {
          for (const chunks of cuttings) await expectAsBare(tryIt, subject, { content, chunks, interleaved });
        },
      ),
    ),
  ),
  scenario(`random answers: ${promise}`, [...needed, "tools"], async (tryIt, subject) => {
    const served = kinds.filter((each) => subject.hooks.has(each));
    for (let seed = 1; seed <= 24; seed++) {
      await expectAsBare(tryIt, subject, randomAnswer(seed), served.slice(seed % served.length).slice(0, 1));
    }
  }),
];

/**
 * Compares one answer, and a second one if it calls tools: bare, and with a stage that holds back in each kind of hook.
 */
async function expectAsBare(
  tryIt: Try,
  subject: Subject,
  answer: ModelAnswer,
  hooks: readonly StreamedKind[] = kinds,
): Promise<void> {
  const { tool } = recordingTool("look", "name", () => "found");
  const tools = answer.content?.some(({ type }) => type === "tool_call") === true;
  const runOptions = {
    answers: tools ? [answer, { text: "That was it." }] : [answer],
    stream: true,
    tools: tools ? [tool] : [],
    input: "Good morning.",
  } satisfies Omit<Attempt, "plugins">;
  const bare = await subject.run({ ...runOptions, plugins: [] });
  for (const kind of hooks.filter((each) => subject.hooks.has(each))) {
    const { observed } = await tryIt({ ...runOptions, plugins: [holding(kind)] });
    const label = `held back in a hook of ${kind}; the answer: ${JSON.stringify(answer)}`;
    expectEqual(partsOf(observed), partsOf(bare), `the parts, ${label}`);
    if (!answer.interleaved) expectEqual(inTime(observed), inTime(bare), `the parts as they came, ${label}`);
    expectEqual(observed.text, bare.text, `the text, ${label}`);
    expectEqual(observed.finishReason, bare.finishReason, `why it ended, ${label}`);
    expectEqual(observed.prompts, bare.prompts, `what the model was sent, ${label}`);
  }
}

/**
 * Returns a random answer of up to five parts of all kinds in any order, cut anywhere. In half of the answers the parts
 * are interleaved. The seed determines the answer.
 */
function randomAnswer(seed: number): ModelAnswer {
  const draw = drawing(seed);
  const words = ["Monday", " at ", "ten, ", "in ", "room ", "seven", ". ", "é👋", "\n"];
  const text = (): string => Array.from({ length: 1 + draw(5) }, () => words[draw(words.length)]).join("");
  const content = Array.from({ length: 1 + draw(5) }, (_, index): ScriptedPart => {
    const chunks = draw(3) === 0 ? ("characters" as const) : 1 + draw(12);
    const kind = draw(4);
    if (kind === 0) return { ...called(`call_${index}`, text()), chunks } as ScriptedPart;
    if (kind === 1) return { ...thought(text()), chunks } as ScriptedPart;
    return { ...textPart(text()), chunks } as ScriptedPart;
  });
  return { content, interleaved: draw(2) === 0 };
}

/** A small generator of numbers below a limit, with the constants of Numerical Recipes. */
function drawing(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

type Part = Omit<SeenPiece, "id">;

/** Returns the parts in order of their beginning. */
function partsOf({ parts: pieces = [] }: Observed): readonly Part[] {
  const parts = new Map<string, Part>();
  for (const { id, type, text } of pieces) parts.set(id, { type, text: (parts.get(id)?.text ?? "") + text });
  return [...parts.values()];
}

/**
 * Returns the parts as a reader sees them grow: a piece that arrives after a piece of another part starts a new entry.
 */
function inTime({ parts: pieces = [] }: Observed): readonly Part[] {
  const parts: (Part & { readonly id: string })[] = [];
  for (const piece of pieces) {
    const last = parts.at(-1);
    if (last?.id === piece.id) parts.splice(-1, 1, { ...last, text: last.text + piece.text });
    else if (piece.text !== "" || !parts.some(({ id }) => id === piece.id)) parts.push(piece);
  }
  return parts.map(({ type, text }) => ({ type, text }));
}
