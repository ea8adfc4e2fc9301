import { isAlpha, isDigit, isLetter, isWord } from "./characters.js";
import { fillers, glued, type Label, mayBeKnown, verbs, words } from "./labels.js";

/** The word that says what the value behind it is: the nearest one before it that is known. */
interface NearestLabel {
  readonly label: Label;
  /** Nothing but marks, digits and spaces lie between the word and the value. */
  readonly adjacent: boolean;
}

/** A word of the text before a value. */
interface Word {
  readonly start: number;
  readonly end: number;
  /** Neither a label, nor said of any label, such as `number`. */
  readonly strange: boolean;
}

/** The nearest label in the text before a value. None where a name of its own stands before the value: `phone: …, total: `. */
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
    const strange = !fillers.has(word);
    named ||= later === undefined && strange && assigns.test(before.slice(end));
    later = { start, end, strange };
    end = start;
  }
  return last && { label: last.label, adjacent: false };
}

/** The text between the name of a value and the value. */
const assigns = /^["'`\\\])]{0,3}\s?[:=>]/;

function labelOf(before: string, word: string, start: number): Label | undefined {
  const label = words.get(word);
  if (word !== "id" && word !== "ids" && word !== "address") return label;
  // `tax ID` is what `tax` says, and `wallet address` what `wallet` does; any other ID is nothing but that.
  const previous = joinedTo(before, start);
  const said = words.get(before.slice(wordStart(before, previous), previous).toLowerCase());
  return said === undefined || said === "other" ? (label ?? "id") : said;
}

/** The end of the word that stands right before this one, behind a space, a mark, or nothing: `taxId`, `tax id`. */
const joinedTo = (text: string, start: number): number => (isWordUnit(text.charCodeAt(start - 1)) ? start : start - 1);

/** The prefix behind which a word begins in `mPhone`. */
const hungarian = /(?:^|[^A-Za-z\\])[a-z][A-Z]$/;

/** Whether a word is a part of something that means another thing: `mPhone`, `PhoneStatusBar`, `phone-based`, `link.dev`, `06cc`, `dPH8bd`. */
function isPart(text: string, start: number, end: number, later: Word | undefined): boolean {
  if (isDigit(text.charCodeAt(start - 1)) || hungarian.test(text.slice(Math.max(0, start - 2), start + 1))) return true;
  let stop = end;
  while (isDigit(text.charCodeAt(stop))) stop++;
  const after = text.charCodeAt(stop);
  if (stop > end) return isWord(after);
  if (later === undefined || !later.strange) return false;
  return later.start === end || (later.start === end + 1 && (after === 95 || after === 45 || after === 46));
}

/** The beginning of the word that ends at `end`; `end` where there is none. `phoneNumber` is two words, and `\n` is none. */
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
