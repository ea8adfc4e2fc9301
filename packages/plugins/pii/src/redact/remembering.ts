import type { ReplaceValue } from "@suite/core";
import type { TokenView } from "../tokens/session-tokens.js";
import type { CleanTexts } from "./clean-texts.js";
import type { Engine } from "./engine.js";
import type { Tally } from "./tally.js";
import type { TreatText } from "./value.js";

/**
 * Treats texts for those who go on when a rule blocks; `tally` counts. Texts in which nothing was found before are not
 * looked through again.
 */
export function rememberingText(
  engine: Engine,
  clean: CleanTexts | undefined,
  tally: Tally,
  tokens?: TokenView,
  replace?: ReplaceValue,
): TreatText {
  /** The number of texts that look like tokens: each counts as found, whatever it is then taken for. */
  let met = 0;
  const view: TokenView | undefined = tokens && {
    token: (type, value) => tokens.token(type, value),
    lookAlike: (text) => {
      met++;
      return tokens.lookAlike(text);
    },
  };
  const treatment = { onBlock: "redact", tally, tokens: view, replace } as const;
  return (text, before) => {
    if (clean?.has(text, before)) return text;
    const noted = tally.notes + met;
    const treated = engine.redact(text, treatment, before);
    if (tally.notes + met === noted && treated === text) clean?.add(text, before);
    return treated;
  };
}
