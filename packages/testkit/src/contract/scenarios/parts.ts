import type { ModelAnswer, ScriptedPart } from "../../server/answer.js";
import type { Cutting } from "../../server/cutting.js";
import { expectEqual } from "../expect.js";
import { holding, type StreamedKind } from "../holding.js";
import { type Scenario, scenario } from "../scenario.js";
import type { Attempt, Observed, SeenPiece } from "../subject.js";
import { recordingTool } from "./texts.js";

const said = (text: string): ScriptedPart => ({ type: "text", text });
const thought = (content: string): ScriptedPart => ({ type: "reasoning", content, signature: "signed" });
const called = (id: string, name: string): ScriptedPart => ({
  type: "tool_call",
  id,
  name: "look",
  arguments: { name },
});

/** Answers whose parts could be split, joined or reordered, by what they have. */
const answers: Readonly<Record<string, { readonly parts: readonly ScriptedPart[]; readonly tools?: true }>> = {
  "several texts": {
    parts: [said("The meeting is on Monday"), said(" at ten, in room seven"), said(", says the page.")],
  },
  "reasoning, then text": { parts: [thought("I should greet them"), said("Good morning to you")] },
  "reasoning and text, then calls": {
    parts: [
      thought("I should look it up"),
      said("Let me look that up"),
      called("call_a", "Ada"),
      called("call_b", "Eve"),
    ],
    tools: true,
  },
};

const cuttings: readonly Cutting[] = ["characters", 2, 5, 100];
const kinds: readonly StreamedKind[] = ["model", "reasoning", "agent"];

/** Parts of an answer, with a stage that holds text back and changes nothing. */
export const parts: readonly Scenario[] = Object.entries(answers).flatMap(([name, { parts: content, tools = false }]) =>
  [false, true].map((interleaved) =>
    scenario(
      `${name}${interleaved ? ", open at once" : ""}: the same parts in the same order, where a stage holds text back`,
      ["model", "stream", "parts", ...(tools ? (["tools"] as const) : [])],
      async (tryIt, subject) => {
        for (const chunks of cuttings) {
          const first: ModelAnswer = { content, chunks, interleaved };
          const { tool } = recordingTool("look", "name", () => "found");
          const asked = {
            answers: tools ? [first, { text: "That was it." }] : [first],
            stream: true,
            tools: tools ? [tool] : [],
            input: "Good morning.",
          } satisfies Omit<Attempt, "plugins">;
          const bare = await subject.run({ ...asked, plugins: [] });
          for (const kind of kinds.filter((each) => subject.hooks.has(each))) {
            const { observed } = await tryIt({ ...asked, plugins: [holding(kind)] });
            const where = `held back in a hook of ${kind}`;
            expectEqual(partsOf(observed), partsOf(bare), `the parts, ${where}`);
            if (!interleaved) expectEqual(inTime(observed), inTime(bare), `the parts as they came, ${where}`);
            expectEqual(observed.text, bare.text, "the text");
            expectEqual(observed.prompts, bare.prompts, "what the model was sent");
          }
        }
      },
    ),
  ),
);

type Part = Omit<SeenPiece, "id">;

/** The parts in the order in which they began. */
function partsOf({ parts: pieces = [] }: Observed): readonly Part[] {
  const parts = new Map<string, Part>();
  for (const { id, type, text } of pieces) parts.set(id, { type, text: (parts.get(id)?.text ?? "") + text });
  return [...parts.values()];
}

/** The same as a reader sees it grow: what comes of a part behind a piece of another one stands apart. */
function inTime({ parts: pieces = [] }: Observed): readonly Part[] {
  const parts: (Part & { readonly id: string })[] = [];
  for (const piece of pieces) {
    const last = parts.at(-1);
    if (last?.id === piece.id) parts.splice(-1, 1, { ...last, text: last.text + piece.text });
    else if (piece.text !== "" || !parts.some(({ id }) => id === piece.id)) parts.push(piece);
  }
  return parts.map(({ type, text }) => ({ type, text }));
}
