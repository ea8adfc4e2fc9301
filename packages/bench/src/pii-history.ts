import { type Message, type ModelRequest, message, type Reply } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import { pii } from "@suite/pii";
import { below, defineGroup } from "./group.js";
import type { Case } from "./measure.js";
import { five, rulesFor } from "./pii-rules.js";
import { dense, prose } from "./pii-texts.js";

const HISTORY = 200;
const reply: Reply = { message: message("assistant", "Noted.") };
/** The new strings of a turn: a question, and the result of a tool. */
const newTexts = [prose(1, 200), dense(2)];

const userMessages = (texts: readonly string[]): Message[] =>
  texts.map((text, index) => message(index % 2 === 0 ? "user" : "assistant", text));

/** Model calls of an agent: each with the history so far, which is the same objects, and with messages that are new. */
function turn(stack: PluginStack, history: readonly Message[]): Case {
  const run = stack.begin();
  return async () => {
    const request: ModelRequest = { messages: [...history, ...userMessages(newTexts)], tools: [], model: "none" };
    const outcome = await stack.call("model", run, request, async (invocation) => {
      if (invocation.request.messages.length !== request.messages.length) throw new Error("A message is missing.");
      invocation.respond({ value: reply });
    });
    await outcome.final();
  };
}

export const piiHistory = defineGroup({
  name: "pii/history",
  about:
    "A model call through `pii()` with five types. The new text of a turn: a question of 200 characters, and 2,000 " +
    `characters with a value every 300. Alone, behind ${HISTORY} messages of 600 characters that earlier turns had too, and behind ${HISTORY} that ` +
    "were never seen. What was looked through and has not changed is not looked through again.",
  unit: "call",
  open() {
    const stack = new PluginStack([pii(rulesFor(five))]);
    const texts = Array.from({ length: HISTORY }, (_, index) =>
      (index % 3 === 0 ? dense(index) : prose(index)).slice(0, 600),
    );
    return {
      cases: {
        "new text alone": turn(stack, []),
        "next turn": turn(stack, userMessages(texts)),
        "first turn": () => turn(stack, userMessages(texts))(),
        "next turn, no plugin": turn(new PluginStack(), userMessages(texts)),
      },
    };
  },
  figures: [
    {
      name: "next turn / new text alone",
      ratio: (time) => time["next turn"] / time["new text alone"],
      aim: below(2),
    },
    { name: "next turn / first turn", ratio: (time) => time["next turn"] / time["first turn"] },
  ],
});
