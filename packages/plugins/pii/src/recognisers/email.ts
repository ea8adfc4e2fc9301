import { isAlpha, isDigit, isLatin, isLetter, isSpaceless, isWord } from "../scan/characters.js";
import type { Recogniser } from "../scan/recogniser.js";
import { isFullStop, isJoined, joins, mayJoin, withDots } from "./full-stop.js";
import { closesLocal, opensLocal, quotedStart } from "./quoted-local.js";
import { hasPublicSuffix } from "./url/domains.js";
import { hostInto } from "./url/foreign.js";

/**
 * The marks of RFC 5322's `atext` that occur in addresses, and the dot. `=`, `/`, `?`, `|` and braces separate more
 * often.
 */
const localMarks = new Set([..."._%+-'&~!#$*^"].map((mark) => mark.charCodeAt(0)));
const dot = 46;
const hyphen = 45;
const quote = 34;
const underscore = 95;
const equals = 61;
const mark = 64;

/**
 * E-mail addresses of RFC 5321 and, with letters outside ASCII, RFC 6531: `local@domain.tld`, also `"local"@domain.tld`
 * without spaces. Address literals (`user@[10.0.0.1]`) are not addresses anyone writes in prose, and not found.
 *
 * @example jane@x.com
 */
export const email = {
  type: "email",
  triggers: "@",
  anyCase: true,
  bridged: '"',
  bridges: (text, index) =>
    text.charCodeAt(index) === quote
      ? opensLocal(text, index) || closesLocal(text, index)
      : isApostrophe(text, index) || goesOn(text, index) || mayJoin(text, index) || isBeforeMark(text, index),
  look(text, at, from, to, report) {
    const start = localStart(text, at, from, to);
    if (start === at) return at + 1;
    const end = domainEnd(text, at + 1, to);
    if (end === 0 || isRemote(text, start, at, end) || isFrame(text, end) || isPassword(text, start, from))
      return at + 1;
    report(stressed(text, start, end), end, isDotted(text, start, from) ? 0.4 : 0.95);
    return at + 1;
  },
  // The case of a local part is its server's affair (RFC 5321).
  normal(value) {
    const at = value.lastIndexOf("@");
    return (value.slice(0, at) + withDots(value.slice(at)).toLowerCase()).normalize("NFC");
  },
  mask(value) {
    return `${value.slice(0, (value.codePointAt(0) ?? 0) > 0xffff ? 2 : 1)}***@***`;
  },
} as const satisfies Recogniser;

/** The beginning of an address in `_emphasis_` of Markdown. */
function stressed(text: string, start: number, end: number): number {
  let index = start;
  while (text.charCodeAt(index) === underscore && text.charCodeAt(end + index - start) === underscore) index++;
  return index;
}

/** `o’brien`, as word processors write it. */
const isApostrophe = (text: string, index: number): boolean =>
  text.charCodeAt(index) === 0x2019 &&
  isNameLetter(text.charCodeAt(index - 1)) &&
  (index + 1 === text.length || isNameLetter(text.charCodeAt(index + 1)));

const isNameLetter = (code: number): boolean => isAlpha(code) || isLetter(code);

/** Returns the beginning of the local part that ends before `at`, or `at` if it is absent. */
function localStart(text: string, at: number, from: number, to: number): number {
  if (text.charCodeAt(at - 1) === quote) return quotedStart(text, at, from);
  let start = at;
  while (start > from && at - start < longestSpaceless && isSpaceless(text.charCodeAt(start - 1))) start--;
  if (start < at) return hasPublicSuffix(withDots(text.slice(at + 1, domainEnd(text, at + 1, to)))) ? start : at;
  while (start > from) {
    const code = text.charCodeAt(start - 1);
    if (!isWord(code) && !localMarks.has(code) && !isLetter(code) && !isApostrophe(text, start - 1)) break;
    if (code === dot && (start === at || text.charCodeAt(start) === dot)) break;
    start--;
  }
  // Characters that rarely begin an address are punctuation before it.
  while (start < at && !beginsLocal(text.charCodeAt(start))) start++;
  return start < at && text.charCodeAt(start - 1) === equals ? returnPathStart(text, start, at, from) : start;
}

/**
 * The text before the last `=` in the local parts of return paths: signed (BATV), rewritten by a forwarder (SRS) or with
 * the recipient's address in it (VERP, where a domain follows).
 */
const signed = /(?<![\w.%+=-])(?:prvs=[\da-z]{10}|SRS[01][=+-][\w.-]+(?:={1,2}[\w.-]+){1,5})=$/i;
const recipient = /(?<![\w.%+=-])[\w.-]+\+[\w.+-]+=$/;
const domain = /^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}$/i;
/** RFC 5321: a local part has at most 64 characters. */
const longestLocal = 64;

function returnPathStart(text: string, start: number, at: number, from: number): number {
  const before = text.slice(Math.max(from, at - longestLocal - 1), start);
  const isDomain = domain.test(text.slice(start, at)) && hasPublicSuffix(text.slice(start, at));
  const [path = ""] = signed.exec(before) ?? (isDomain ? recipient.exec(before) : null) ?? [];
  return start - path.length;
}

/** `用户@`: so many letters of a script without spaces before the mark are taken for a local part. */
const longestSpaceless = 12;

/** Returns true if such a letter seems to be part of a local part. */
function isBeforeMark(text: string, index: number): boolean {
  for (let next = index; next < index + longestSpaceless; next++) {
    const code = text.charCodeAt(next);
    if (code === mark || (next > index && Number.isNaN(code))) return true;
    if (!isSpaceless(code)) return false;
  }
  return text.charCodeAt(index + longestSpaceless) === mark;
}

/** `.jane@x.com`, `a..b@x.com`: RFC 5321 has no such local parts. Three dots end the sentence before. */
function isDotted(text: string, start: number, from: number): boolean {
  if (text.charCodeAt(start - 1) !== dot || start === from) return false;
  const second = text.charCodeAt(start - 2);
  return second !== dot || isWord(text.charCodeAt(start - 3));
}

/** Returns true if the domain continues after a letter of a script without spaces: `jane@mé端.com`. */
const goesOn = (text: string, index: number): boolean => {
  const host = hostInto(text, index, "mailbox");
  if (host === undefined) return false;
  const before = text.charCodeAt(index - host.length - 2);
  return isWord(before) || isSpaceless(before);
};

/** Returns the end of the domain that begins at `from`, or 0 if it is absent. */
function domainEnd(text: string, from: number, to: number): number {
  const foreign = isForeign(text.charCodeAt(from));
  let last = from;
  let label = from;
  let end = 0;
  let joined = false;
  const mayEnd = (last: number): boolean =>
    label > from && isTopLevel(text, label, last) && (!joined || isJoined(text.slice(from, last)));
  for (let index = from; index <= to; index++) {
    const code = index < to ? text.charCodeAt(index) : 0;
    const inside = isWord(code) || isWordLetter(code, foreign) || (index < to && goesOn(text, index));
    if (inside || (code === hyphen && index > label)) {
      if (code !== hyphen) last = index + 1;
      else if (mayEnd(index)) end = index;
      continue;
    }
    if (index === label) break;
    if (mayEnd(last)) end = last;
    if (last !== index) break;
    if (isFullStop(code) && joins(text, from, index, to)) joined = true;
    else if (code !== dot) break;
    label = index + 1;
  }
  return end > 0 && !isDensity(text, from) && !isVersion(text, from, end) && !isUnit(text, from, end) ? end : 0;
}

function isTopLevel(text: string, from: number, to: number): boolean {
  if (to - from < 2 || to - from > 63) return false;
  if (to - from > 4 && text.slice(from, from + 4).toLowerCase() === "xn--") return true;
  for (let index = from; index < to; index++) {
    const code = text.charCodeAt(index);
    if (!isAlpha(code) && !isLetter(code) && !isSpaceless(code)) return false;
  }
  return true;
}

/** `slash@3.0.0.js`: of a package. */
const version = /^\d+\.\d+\./;
const isVersion = (text: string, from: number, end: number): boolean =>
  isDigit(text.charCodeAt(from)) && version.test(text.slice(from, Math.min(end, from + 32)));

/** `getty@tty1.service`: a unit of systemd, made from a template. None of these is a top-level domain. */
const unit = /\.(?:service|socket|timer|mount|automount|swap|slice|scope|device)$/;
const isUnit = (text: string, from: number, end: number): boolean =>
  unit.test(text.slice(Math.max(from, end - ".automount".length), end));

const colon = 58;
const longestUser = 64;
/** ASCII only: none of these characters ends a word, so the result does not depend on how a stream was split. */
const userAfterScheme = /:\/\/[!#-.0-;=@-_a-~]*$/;

/** Returns true if `start` follows `://user:`: then the text is a password, followed by a host. */
function isPassword(text: string, start: number, from: number): boolean {
  if (text.charCodeAt(start - 1) !== colon) return false;
  const before = text.slice(Math.max(from, start - 1 - longestUser), start - 1);
  return userAfterScheme.test(before);
}

/** `git@host.com:path` and `jane@host.com:/path`: a place on another machine. */
const isRemote = (text: string, start: number, at: number, end: number): boolean =>
  text.charCodeAt(end) === colon &&
  (text.charCodeAt(end + 1) === 47 || (text.slice(start, at) === "git" && !Number.isNaN(text.charCodeAt(end + 1))));

/** `render@index.android.bundle:12:1917`: a frame of a stack in Firefox, Safari or Hermes. */
const frame = /:\d{1,7}:\d/y;

function isFrame(text: string, end: number): boolean {
  frame.lastIndex = end;
  return frame.test(text);
}

/** `icon@2x.png`: a picture for denser screens. */
const isDensity = (text: string, at: number): boolean =>
  isDigit(text.charCodeAt(at)) && (text.charCodeAt(at + 1) | 32) === 120 && text.charCodeAt(at + 2) === dot;

const isForeign = (code: number): boolean => isLetter(code) && !isLatin(code);

/** Words of one script: an ASCII address ends before Cyrillic or Arabic letters, even without a space. */
const isWordLetter = (code: number, foreign: boolean): boolean => (foreign ? isLetter(code) : isLatin(code));

const beginsLocal = (code: number): boolean => isWord(code) || code === 95 || isLetter(code);
