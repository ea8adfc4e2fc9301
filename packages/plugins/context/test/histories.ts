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
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function messagesOf(plan: Step, at: number): readonly Message[] {
  const id = (index: number) => (plan.sameIds ? `call_${index}` : `${at}_${index}`);
  const thought: Part[] = plan.reasoning ? [{ type: "reasoning", content: "because", signature: "s" }] : [];
  const said: Part[] = plan.said ? [{ type: "text", content: "I look." }] : [];
  const calls = plan.results.map((_, index) => toolCall(id(index), "look", { index }));
  const answers = plan.results.flatMap((size, index) =>
    size === undefined ? [] : [toolCallResponse(id(index), "r".repeat(size))],
  );
  const asked = plan.apart
    ? [...thought, ...said, ...calls].map((part) => message("assistant", [part]))
    : [message("assistant", [...thought, ...said, ...calls])];
  const told = plan.resultsApart
    ? answers.map((part) => message("tool", [part]))
    : answers.length > 0
      ? [message("tool", answers)]
      : [];
  return [...asked, ...told];
}

const turn = fc.record({ question: word, steps: fc.array(step, { maxLength: 5 }), answer: fc.boolean() });

/** Conversations with tools: parallel calls, calls that wait, reasoning, ids that come again. The last turn is under way. */
export const histories: fc.Arbitrary<readonly Message[]> = fc
  .record({ system: fc.boolean(), turns: fc.array(turn, { minLength: 1, maxLength: 6 }) })
  .map(({ system, turns }) => [
    ...(system ? [message("system", "Be brief.")] : []),
    ...turns.flatMap(({ question, steps, answer }, index) => [
      message("user", question),
      ...steps.flatMap((each, at) => messagesOf(each, index * 10 + at)),
      ...(answer && index < turns.length - 1 ? [message("assistant", "So it is.")] : []),
    ]),
  ]);

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
