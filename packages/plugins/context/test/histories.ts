import { type Message, message, type Part, toolCall, toolCallResponse } from "@suite/core";
import fc from "fast-check";

const word = fc.string({ maxLength: 40 });

/** One step of an agent: reasoning, parallel calls, and their results, in one message or several, as frameworks have them. */
const step = fc.record({
  reasoning: fc.boolean(),
  said: fc.boolean(),
  /** A size for the result of each call; undefined: it is still waited for, or never came. */
  results: fc.array(fc.option(fc.nat({ max: 60 }), { nil: undefined, freq: 12 }), { minLength: 1, maxLength: 4 }),
  apart: fc.boolean(),
  resultsApart: fc.boolean(),
  sameIds: fc.boolean(),
  /** Whether the last result comes late, behind the next message of the user or the next step: the tool ran elsewhere. */
  late: fc.integer({ max: 4, min: 0 }).map((drawn) => drawn === 0),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The messages of a step, and a result that comes late. */
interface Told {
  readonly now: readonly Message[];
  readonly late: readonly Message[];
}

function messagesOf(plan: Step, at: number): Told {
  const id = (index: number) => (plan.sameIds ? `call_${index}` : `${at}_${index}`);
  const thought: Part[] = plan.reasoning ? [{ type: "reasoning", content: "because", signature: "s" }] : [];
  const said: Part[] = plan.said ? [{ type: "text", content: "I look." }] : [];
  const calls = plan.results.map((_, index) => toolCall(id(index), "look", { index }));
  const all = plan.results.flatMap((size, index) =>
    size === undefined ? [] : [toolCallResponse(id(index), "r".repeat(size))],
  );
  const answers = plan.late ? all.slice(0, -1) : all;
  const asked = plan.apart
    ? [...thought, ...said, ...calls].map((part) => message("assistant", [part]))
    : [message("assistant", [...thought, ...said, ...calls])];
  const told = plan.resultsApart
    ? answers.map((part) => message("tool", [part]))
    : answers.length > 0
      ? [message("tool", answers)]
      : [];
  const late = plan.late && !plan.sameIds ? all.slice(-1).map((part) => message("tool", [part])) : [];
  return { now: [...asked, ...told], late };
}

/** Steps after each other, with what comes late behind the step that follows. */
function stepsOf(
  steps: readonly Told[],
  before: readonly Message[],
): { messages: readonly Message[]; late: readonly Message[] } {
  let late = before;
  const messages = steps.flatMap((step) => {
    const told = [...step.now, ...late];
    late = step.late;
    return told;
  });
  return { messages, late };
}

const turn = fc.record({ question: word, steps: fc.array(step, { maxLength: 5 }), answer: fc.boolean() });

/** Conversations with tools: parallel calls, calls that wait, reasoning, ids that come again. The last turn is under way. */
export const histories: fc.Arbitrary<readonly Message[]> = fc
  .record({ system: fc.boolean(), turns: fc.array(turn, { minLength: 1, maxLength: 6 }) })
  .map(({ system, turns }) => {
    const history: Message[] = system ? [message("system", "Be brief.")] : [];
    let late: readonly Message[] = [];
    for (const [index, { question, steps, answer }] of turns.entries()) {
      const told = stepsOf(
        steps.map((each, at) => messagesOf(each, index * 10 + at)),
        late,
      );
      history.push(message("user", question), ...told.messages);
      late = told.late;
      if (answer && index < turns.length - 1) history.push(message("assistant", "So it is."));
    }
    return [...history, ...late];
  });

/** Calls without a result and results without a call, each by its place in the history. */
export function orphansOf(messages: readonly Message[]): ReadonlySet<Part> {
  const orphans = new Set<Part>();
  const open = new Map<string, Part>();
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part.type === "tool_call") {
        open.set(part.id, part);
        orphans.add(part);
      } else if (part.type === "tool_call_response") {
        const call = open.get(part.id);
        if (call === undefined) orphans.add(part);
        else orphans.delete(call);
        open.delete(part.id);
      }
    }
  }
  return orphans;
}

/** The orphans that a cut has made: those that the history did not have. */
export function newOrphans(before: readonly Message[], after: readonly Message[]): readonly Part[] {
  const had = orphansOf(before);
  return [...orphansOf(after)].filter((part) => !had.has(part));
}
