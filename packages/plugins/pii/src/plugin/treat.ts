import { rememberingText } from "../redact/remembering.js";
import type { Tally } from "../redact/tally.js";
import { type TreatText, treatValue } from "../redact/value.js";
import type { TokenView } from "../tokens/session-tokens.js";
import type { Guard } from "./guard.js";

/** Treats strings and other values. Returns the original if nothing changes. */
export interface Treat {
  /** Treats message content: text parts, and the names of authors. */
  readonly messageText: (text: string) => string;
  /** Treats other strings: reasoning, summaries. */
  readonly text: TreatText;
  readonly value: (value: unknown) => unknown;
  /** Returns true if content that is not text may pass. Called once per item. */
  readonly passes: () => boolean;
}

/** The type under which content that is not text is counted. */
const unscannable = "unscannable";
/** Replaces such content inside a value. */
const removed = "[REMOVED]";

/** Returns the prefix of a base64 `data:` URL, before its content. */
export const headOfFile = (text: string): string | undefined =>
  /^(data:[^,]{0,256};base64,)[\w+/=-]*$/i.exec(text)?.[1];

/**
 * Returns functions that treat strings and values by the guard's rules and record findings in `tally`. Blocked values
 * are recorded and also removed.
 *
 * @param messageTokens the tokens for message content, if they differ from the rest
 */
export function treatWith(
  guard: Guard,
  tally: Tally,
  tokens?: TokenView,
  messageTokens: TokenView | undefined = tokens,
): Treat {
  const { onUnscannable, engine, clean } = guard;
  const text = rememberingText(engine, clean, tally, tokens);
  if (onUnscannable === "allow") {
    const value = (original: unknown): unknown => treatValue(original, text);
    return {
      text,
      messageText: messageTokens === tokens ? text : rememberingText(engine, clean, tally, messageTokens),
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
    messageText: messageTokens === tokens ? text : rememberingText(engine, clean, tally, messageTokens),
    value: (original) => treatValue(original, inValue, remove),
    passes,
  };
}
