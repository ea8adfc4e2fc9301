import type { ReplaceValue } from "@suite/core/contract";
import type { TokenView } from "../tokens/session-tokens.js";
import type { Engine } from "./engine.js";
import type { Tally } from "./tally.js";
import type { TreatText } from "./value.js";

/**
 * Creates a function that treats strings and continues if a rule blocks. `tally` counts the findings. A string without
 * findings is not scanned again.
 */
export function rememberingText(
  engine: Engine,
  clean: CleanTexts | undefined,
  tally: Tally,
  tokens?: TokenView,
  replace?: ReplaceValue,
): TreatText {
  /** The number of strings that look like tokens. Each counts as a finding, even if it is not a token. */
  let lookAlikes = 0;
  const view: TokenView | undefined = tokens && {
    token: (type, value) => tokens.token(type, value),
    lookAlike: (text) => {
      lookAlikes++;
      return tokens.lookAlike(text);
    },
  };
  const treatment = { onBlock: "redact", tally, tokens: view, replace } as const;
  return (text, before) => {
    if (clean?.has(text, before)) return text;
    const count = tally.notes + lookAlikes;
    const treated = engine.redact(text, treatment, before);
    if (tally.notes + lookAlikes === count && treated === text) clean?.add(text, before);
    return treated;
  };
}

/** Shorter strings are scanned again, which costs no more than a look-up. */
const shortest = 64;
/** The number of UTF-16 units that are remembered, at most twice. */
const most = 1 << 20;

/**
 * Remembers strings without findings by their content, so that each is scanned only once. The size is bounded: the
 * oldest are dropped first. Strings with findings are not kept.
 */
export class CleanTexts {
  #young = new Map<string, (string | undefined)[]>();
  #old = new Map<string, (string | undefined)[]>();
  #units = 0;

  /** @param before what stood before it: with other words there, something may be found. */
  has(text: string, before: string | undefined): boolean {
    if (text.length < shortest) return false;
    if (this.#young.get(text)?.includes(before) === true) return true;
    if (this.#old.get(text)?.includes(before) !== true) return false;
    this.add(text, before);
    return true;
  }

  add(text: string, before: string | undefined): void {
    if (text.length < shortest || text.length > most) return;
    const known = this.#young.get(text);
    if (known !== undefined) {
      if (known.length < 8) known.push(before);
      return;
    }
    this.#young.set(text, [before]);
    this.#units += text.length;
    if (this.#units < most) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#units = 0;
  }
}
