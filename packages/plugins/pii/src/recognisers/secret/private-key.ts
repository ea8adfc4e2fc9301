import type { Walker } from "../../scan/recogniser.js";
import { KeyReader, longestMarker } from "./key-reader.js";

/** `-----BEGIN ENCRYPTED PRIVATE KEY-----` (RFC 7468), `… BLOCK` of OpenPGP, and four hyphens as SSH2 has them. */
const begin = /-{4,5} ?BEGIN (?:[A-Z\d]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}/y;
/** The text that may go on as such a marker. */
const label = /^BEGIN [A-Z\d -]*$/;
/** The end of a text that may continue as a marker. */
const begun = /-{1,5}$|-{4,5} ?(?:B(?:E(?:G(?:I(?:N ?)?)?)?)?)?$/;

/**
 * Private keys in PEM, which go over many lines, also with their line ends written as `\n` or in pieces of source code.
 * From the marker on everything is held back until the key has ended, or is as long as a key that is held may be: then
 * it is taken out as it comes.
 */
export function privateKeyWalker(): Walker {
  let next = 0;
  let key: KeyReader | undefined;
  return {
    context: 0,
    advance(text, base, ended, report) {
      for (;;) {
        key ??= search(text);
        if (key === undefined) return ended ? base + text.length : next;
        const at = key.read(text, base, ended, report);
        if (!key.done) return at;
        next = at;
        key = undefined;
      }

      /** Returns the next key. Moves `next` to the position at which one may begin. */
      function search(known: string): KeyReader | undefined {
        for (let at = known.indexOf("BEGIN ", next - base); at >= 0; at = known.indexOf("BEGIN ", at + 1)) {
          const start = Math.max(next - base, hyphensBefore(known, at));
          if (start === at) continue;
          begin.lastIndex = start;
          const found = begin.test(known) ? begin.lastIndex : 0;
          if (found > 0 && (found < known.length || ended)) return new KeyReader(base + start, base + found);
          if (known.length - start < longestMarker && !ended && label.test(known.slice(at))) {
            next = base + start;
            return undefined;
          }
        }
        const open = ended ? -1 : known.slice(-12).search(begun);
        next = Math.max(next, base + (open < 0 ? known.length : Math.max(0, known.length - 12) + open));
        return undefined;
      }
    },
  };
}

/** The beginning of the hyphens before `at`, at most five. */
function hyphensBefore(text: string, at: number): number {
  const last = text.charAt(at - 1) === " " ? at - 1 : at;
  let start = last;
  while (start > 0 && last - start < 5 && text.charAt(start - 1) === "-") start--;
  return start === last ? at : start;
}
