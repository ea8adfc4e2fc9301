import { rememberingText } from "../redact/remembering.js";
import type { Tally } from "../redact/tally.js";
import { type TreatText, treatValue } from "../redact/value.js";
import type { TokenView } from "../tokens/session-tokens.js";
import type { Guard } from "./guard.js";

/** The treatment of texts and other values. What holds nothing to change is given back itself. */
export interface Treat {
  /** The treatment of what was said: text parts, and the names of who said them. */
  readonly said: (text: string) => string;
  /** Other texts: reasoning, summaries. */
  readonly text: TreatText;
  readonly value: (value: unknown) => unknown;
  /** Whether content that is no text goes on. Asked once for each. */
  readonly passes: () => boolean;
}

/** The type under which content that is no text is counted. */
const unscannable = "unscannable";
/** The mark in its place inside a value. */
const removed = "[REMOVED]";

/** The head before the file in a `data:` address that is one, in base64. */
export const headOfFile = (text: string): string | undefined =>
  /^(data:[^,]{0,256};base64,)[\w+/=-]*$/i.exec(text)?.[1];

/**
 * The treatment of texts and values by a guard, while `tally` counts; what blocks is counted, and its value taken out
 * all the same.
 *
 * @param said for what was said, where that is not made like the rest.
 */
export function treatWith(guard: Guard, tally: Tally, tokens?: TokenView, said: TokenView | undefined = tokens): Treat {
  const { onUnscannable, engine, clean } = guard;
  const text = rememberingText(engine, clean, tally, tokens);
  if (onUnscannable === "allow") {
    const value = (original: unknown): unknown => treatValue(original, text);
    return {
      text,
      said: said === tokens ? text : rememberingText(engine, clean, tally, said),
      value,
      passes: () => true,
    };
  }
  const passes = (): false => {
    tally.add(unscannable, onUnscannable === "block");
    return false;
  };
  const remove = (): string => {
    passes();
    return removed;
  };
  const inValue: TreatText = (original, before) =>
    headOfFile(original) === undefined ? text(original, before) : remove();
  return {
    text,
    said: said === tokens ? text : rememberingText(engine, clean, tally, said),
    value: (original) => treatValue(original, inValue, remove),
    passes,
  };
}
