import type { Message } from "@suite/core";
import type { Engine } from "../redactor/engine.js";
import { Tally } from "../redactor/tally.js";
import { treatValue } from "../redactor/value.js";
import { MessageMemory } from "./message-memory.js";
import { type Treat, treatMessage } from "./parts.js";

/** How an engine treats texts and values while `tally` counts; what blocks is counted, and its value taken out all the same. */
export function treatWith(engine: Engine, tally: Tally): Treat {
  const text = (original: string): string => engine.redact(original, { onBlock: "redact", tally });
  return { text, value: (value) => treatValue(value, text) };
}

/** Treats the messages of a request: the same list where nothing changed. */
export function inputTreatment(engine: Engine): (messages: readonly Message[], tally: Tally) => readonly Message[] {
  const memory = new MessageMemory();
  const treat = (message: Message, tally: Tally): Message => treatMessage(message, treatWith(engine, tally));
  return (messages, tally) => {
    const treated = messages.map((message) => memory.recall(message, tally, treat, () => new Tally()));
    return treated.every((message, index) => message === messages[index]) ? messages : treated;
  };
}
