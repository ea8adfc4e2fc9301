import { expect, it } from "@jest/globals";
import {
  clearToolUses,
  contentLimit,
  contextEditing,
  historyLimit,
  promptCache,
  summarization,
  taskReminder,
  todosKey,
  tokenLimit,
} from "@suite/context";
import { type Message, type Part, type Plugin, textOf } from "@suite/core";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { histories, orphansOf } from "./histories.js";
import { Rig } from "./support.js";

const made: Readonly<Record<string, () => Plugin>> = {
  history: () => historyLimit({ messages: 6, whenTooLarge: "send" }),
  tokens: () => tokenLimit({ tokens: 60, whenTooLarge: "send" }),
  content: () => contentLimit({ partCharacters: 20, characters: 300, whenTooLarge: "send" }),
  editing: () => contextEditing({ edits: [clearToolUses({ trigger: 10, keep: 1, placeholder: "-" })] }),
  summary: () => summarization({ trigger: { messages: 8 }, keep: { messages: 3 }, summarize: () => "They talked." }),
  reminder: () => taskReminder(),
  cache: () => promptCache(),
};

const idOf = (part: Part): string => `${part.type} ${"id" in part ? part.id : ""}`;
const questionIn = (messages: readonly Message[]): string =>
  textOf(messages.findLast(({ role }) => role === "user") as Message);

it("in any order and number they leave nothing alone, round after round, and the newest question goes", async () => {
  await fc.assert(
    fc.asyncProperty(histories, fc.shuffledSubarray(Object.keys(made), { minLength: 1 }), async (history, names) => {
      const frozen = JSON.stringify(history);
      const rig = new Rig(names.map((name) => (made[name] as () => Plugin)()));
      rig.run.set(todosKey, [{ content: "look", status: "pending" }]);
      const ends = history.flatMap(({ role }, at) => (role === "assistant" ? [at] : []));
      for (const end of [...ends.slice(0, 4), history.length]) {
        const given = history.slice(0, end);
        if (!given.some(({ role }) => role === "user")) continue;
        const sent = await rig.model(given, { provider: "anthropic" });
        const had = new Set([...orphansOf(given)].map(idOf));
        expect([...orphansOf(sent)].map(idOf).filter((id) => !had.has(id))).toEqual([]);
        const question = questionIn(given);
        if (question.length <= 20) {
          expect(sent.some((each) => each.role === "user" && textOf(each) === question)).toBe(true);
        }
      }
      expect(JSON.stringify(history)).toBe(frozen);
    }),
    { numRuns: runs(1000) },
  );
});
