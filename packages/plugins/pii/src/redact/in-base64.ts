import type { Rule } from "../rules/rule.js";
import { detect } from "./detect.js";

/** Shorter stretches hold no value; words that are longer decode to nothing that is found. */
const stretch = /[A-Za-z0-9+/_-]{16,}/g;
/** A longer stretch is taken in pieces, in UTF-16 units, which overlap by more than most values take. */
const longest = 1024;
const overlap = 256;

/**
 * Creates a recogniser for a custom rule that finds values of built-in types in base64 text, standard or URL-safe. A
 * match is the whole stretch of base64, or the relevant part if the stretch is longer than 1,024 characters.
 *
 * @param types The types. Default: all default types.
 * @throws PiiError `ERR_PII_INVALID_RULE`, for a type that is not a built-in one
 * @example
 * ```ts
 * pii({ encoded: { ...inBase64(["email", "credit_card"]), strategy: "redact" } });
 * ```
 */
export function inBase64(types?: readonly string[]): Required<Pick<Rule, "recognizer" | "maxLength">> {
  const options = types === undefined ? {} : { types };
  detect("", options);
  const holds = (piece: string): boolean => readings(piece).some((text) => detect(text, options).length > 0);
  return {
    maxLength: longest,
    *recognizer(text) {
      for (const { 0: found, index } of text.matchAll(stretch)) {
        for (let at = 0; at === 0 || at + overlap < found.length; at += longest - overlap) {
          const piece = found.slice(at, at + longest);
          if (holds(piece)) yield { start: index + at, end: index + at + piece.length };
        }
      }
    },
  };
}

/** Decodes a piece in all four alignments, since other letters may stand before the first group of four. */
function readings(piece: string): readonly string[] {
  const letters = piece.replaceAll("-", "+").replaceAll("_", "/");
  return [0, 1, 2, 3].map((skip) => {
    const groups = letters.slice(skip);
    const whole = groups.slice(0, groups.length % 4 === 1 ? -1 : undefined);
    return new TextDecoder().decode(Uint8Array.from(atob(whole), (character) => character.charCodeAt(0)));
  });
}
