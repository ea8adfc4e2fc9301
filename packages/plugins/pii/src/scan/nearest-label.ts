import { isAlpha, isDigit, isLetter, isWord } from "./characters.js";
import { fillers, glued, type Label, mayBeKnown, verbs, words } from "./labels.js";

/** The nearest known word before a value, and its label. */
interface NearestLabel {
  readonly label: Label;
  /** Nothing but marks, digits and spaces lie between the word and the value. */
  readonly adjacent: boolean;
}

/** A word of the text before a value. */
interface Word {
  readonly start: number;
  readonly end: number;
  /** The word has no label and is not a filler such as `number`. */
  readonly isUnknown: boolean;
}

/** Returns the nearest label in the text before a value, or none if the value has its own name (`phone: …, total:`). */
export function nearestLabel(before: string): NearestLabel | undefined {
  const last = lastGlued(before);
  let later: Word | undefined;
  let named = false;
  let digits = false;
  for (let end = before.length; end > (last?.end ?? 0); ) {
    const start = wordStart(before, end);
    if (start === end) {
      end--;
      digits ||= later !== undefined && isDigit(before.charCodeAt(end));
      continue;
    }
    const word = mayBeKnown(before, start, end) ? before.slice(start, end).toLowerCase() : "";
    const label = word === "" || isPart(before, start, end, later) ? undefined : labelOf(before, word, start);
    if (label !== undefined)
      return (named || verbs.has(word)) && digits ? undefined : { label, adjacent: later === undefined };
    const isUnknown = !fillers.has(word);
    named ||= later === undefined && isUnknown && assigns.test(before.slice(end));
    later = { start, end, isUnknown };
    end = start;
  }
  return last && { label: last.label, adjacent: false };
}

/** The text between the name of a value and the value. */
const assigns = /^["'`\\\])]{0,3}\s?[:=>]/;

function labelOf(before: string, word: string, start: number): Label | undefined {
  const label = words.get(word);
  if (word !== "id" && word !== "ids" && word !== "address") return label;
  // `tax ID` has the label of `tax`, and `wallet address` that of `wallet`. Any other ID is only an ID.
  const previous = joinedTo(before, start);
  const previousLabel = words.get(before.slice(wordStart(before, previous), previous).toLowerCase());
  return previousLabel === undefined || previousLabel === "other" ? (label ?? "id") : previousLabel;
}

/** Returns the end of the word directly before this one, after a space, a mark or nothing: `taxId`, `tax id`. */
const joinedTo = (text: string, start: number): number => (isWordUnit(text.charCodeAt(start - 1)) ? start : start - 1);

/** The prefix in `mPhone`, after which a word begins. */
const hungarian = /(?:^|[^A-Za-z\\])[a-z][A-Z]$/;

/**
 * Returns true if a word is a part of something that means another thing: `mPhone`, `PhoneStatusBar`, `phone-based`,
 * `link.dev`, `06cc`, `dPH8bd`.
 */
function isPart(text: string, start: number, end: number, later: Word | undefined): boolean {
  if (isDigit(text.charCodeAt(start - 1)) || hungarian.test(text.slice(Math.max(0, start - 2), start + 1))) return true;
  let stop = end;
  while (isDigit(text.charCodeAt(stop))) stop++;
  const after = text.charCodeAt(stop);
  if (stop > end) return isWord(after);
  if (later === undefined || !later.isUnknown) return false;
  return later.start === end || (later.start === end + 1 && (after === 95 || after === 45 || after === 46));
}

/**
 * Returns the beginning of the word that ends at `end`, or `end` if it is absent. `phoneNumber` is two words, and `\n`
 * is not a word.
 */
function wordStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && isWordUnit(text.charCodeAt(start - 1))) {
    start--;
    const code = text.charCodeAt(start);
    const before = text.charCodeAt(start - 1);
    if (code >= 65 && code <= 90 && before >= 97 && before <= 122) break;
  }
  const isEscape = start < end && text.charCodeAt(start - 1) === 92 && "nrt".includes(text.charAt(start));
  return isEscape ? start + 1 : start;
}

const isWordUnit = (code: number): boolean => isAlpha(code) || isLetter(code);

const spaceless = /[\u0e00-\uffff]/;

/** Scripts without spaces between words: the last known word anywhere in the text. */
function lastGlued(text: string): { readonly label: Label; readonly end: number } | undefined {
  if (!spaceless.test(text)) return undefined;
  let last: { label: Label; end: number } | undefined;
  for (const [word, label] of glued) {
    const at = text.lastIndexOf(word);
    if (at >= 0 && at + word.length > (last?.end ?? 0)) last = { label, end: at + word.length };
  }
  return last;
}
