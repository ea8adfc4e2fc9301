import { expect, it } from "@jest/globals";
import { type Message, message, toolCall, toolCallResponse } from "@suite/core";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { withinBounds } from "../src/conversations/bounds.js";

const word = fc.string({ maxLength: 30 });
const step = fc.tuple(fc.array(word, { minLength: 1, maxLength: 3 }), fc.nat()).map(([texts, at]): Message[] => [
  message(
    "assistant",
    texts.map((text, index) => toolCall(`${at}-${index}`, "look", { text })),
  ),
  message(
    "tool",
    texts.map((text, index) => toolCallResponse(`${at}-${index}`, text)),
  ),
]);
const turn = fc
  .tuple(word, fc.array(step, { maxLength: 3 }), word)
  .map(([question, steps, answer]): Message[] => [
    message("user", question),
    ...steps.flat(),
    message("assistant", answer),
  ]);
const conversation = fc.array(turn, { minLength: 1, maxLength: 6 });
const sizeOf = (messages: readonly Message[]) => messages.reduce((sum, each) => sum + JSON.stringify(each).length, 0);

it("a conversation within its bounds is whole turns, the newest, and as many as fit", () => {
  fc.assert(
    fc.property(conversation, fc.integer({ min: 1, max: 30 }), fc.nat({ max: 3000 }), (turns, maxMessages, most) => {
      const fits = (kept: readonly Message[]) => kept.length <= maxMessages && sizeOf(kept) <= most;
      const wholes = turns.map((_, at) => turns.slice(at).flat());
      const wanted = wholes.find(fits);
      expect(withinBounds(turns.flat(), { maxMessages, maxCharacters: most })).toEqual(wanted);
    }),
    { numRuns: runs(2000) },
  );
});
