import { BREAK, isDigit, isSpaceless, isWord, kinds, unitAt } from "../../scan/characters.js";
import type { Joins, Report } from "../../scan/recogniser.js";
import { addressEnd, nameEnd } from "./address.js";
import { FOLLOWING, isHost, isNamed, OPENING, QUOTE, rolesOf } from "./characters.js";
import { endingOf, isHostName, mayBeEnding } from "./domains.js";
import { hostInto } from "./foreign.js";
import { identifier, isIdentifier } from "./identifiers.js";
import { NameCache } from "./name-cache.js";

const space = 32;
const colon = 58;
const dot = 46;
const slash = 47;
const underscore = 95;
const longestHost = 255;

/** A host without a scheme, around the dot at `at`: with `www.` in front, or under a public suffix. */
export function lookName(text: string, at: number, from: number, to: number, report: Report): number {
  // Most dots of names in code and data end here.
  if (!mayBeEnding(text, at + 1, to) && !isAfterW(text, at)) return at + 1;
  if (at === from || !isNamed(unitAt(text, at - 1))) return at + 1;
  if (!isNamed(unitAt(text, at + 1)) && hostInto(text, at + 1, "address") === undefined) return at + 1;
  const place = known.find(text, at, from, to);
  if (place >= 0) {
    const start = at - known.dotOf(place);
    const host = start + known.lengthOf(place);
    const score = standsAsHost(text, start, host) ? inTag(text, start, known.scoreOf(place)) : 0;
    return judge(text, { start, host, run: host, www: false }, score, from, to, report);
  }
  let start = at;
  while (start > from && at - start < longestHost && isHost(text.charCodeAt(start - 1))) start--;
  const run = nameEnd(text, at, to);
  let host = run;
  while (host > start && !isNamed(text.charCodeAt(host - 1)) && !isSpaceless(text.charCodeAt(host - 1))) host--;
  // `_example.com_`
  while (text.charCodeAt(start) === underscore) start++;
  const www = isWww(text, start);
  const name = { start, host, run, www };
  let score = 0;
  if (run - start <= longestHost) score = www ? wwwScore(text.slice(start, host)) : nameScore(text, name, at, to);
  return judge(text, name, score, from, to, report);
}

/** A name in a text: its beginning, the end of its host, and the end of the run of host characters. */
interface Name {
  readonly start: number;
  readonly host: number;
  readonly run: number;
  readonly www: boolean;
}

/**
 * Reports a name with the rest of its address, if it is one. Returns the end of the text that was read.
 *
 * @param from the first index that may be read
 * @param to the end of the text that may be read
 */
function judge(text: string, name: Name, score: number, from: number, to: number, report: Report): number {
  const { start, host, run, www } = name;
  if (score === 0 || (score < sure && isKey(text, start, host))) return run;
  const end = addressEnd(text, start, start, host, to);
  const before = unitAt(text, start - 1);
  if (!www && isStressed(before) && unitAt(text, end) !== before) return run;
  if (!www && end === host && unitAt(text, host) === colon && isDigit(unitAt(text, host + 1))) return run;
  // In quotes a path makes it the name of a module as well.
  const path = unitAt(text, host) === slash && end > host && !isQuote(before);
  const named = path ? Math.max(score, 0.5) : score;
  const isNone = !www && isIdentifier(text, start, host, end, to);
  report(relativeStart(text, start, from), end, isNone ? Math.min(named, identifier) : named);
  return Math.max(end, run);
}

const isQuote = (code: number): boolean => (rolesOf(code) & QUOTE) !== 0;

/** Returns true if a name is an object key, in quotes and followed by a colon: `"service.instance.id": …`. */
function isKey(text: string, start: number, host: number): boolean {
  const quote = unitAt(text, host);
  if (!isQuote(quote) || unitAt(text, start - 1) !== quote) return false;
  return unitAt(text, host + 1) === colon || (unitAt(text, host + 1) === space && unitAt(text, host + 2) === colon);
}

/** The space between the name of a key and its colon. */
export const keyJoins: readonly Joins[] = [{ before: "\"'`", after: ":" }];

/** Returns true if a quote at the end of the text may be that of such a key, whose colon has not come yet. */
export function mayEndKey(text: string, index: number): boolean {
  const next = index + 1;
  const isLast = next === text.length || (next + 1 === text.length && unitAt(text, next) === space);
  if (!isLast || !isQuote(text.charCodeAt(index))) return false;
  let start = index;
  let dotted = false;
  while (index - start < longestHost && isHost(unitAt(text, start - 1)))
    dotted = unitAt(text, --start) === dot || dotted;
  return dotted && unitAt(text, start - 1) === text.charCodeAt(index);
}

/** `**example.com**` and `_example.com_` in Markdown; `*.example.com` and `_example.com` are something else. */
const isStressed = (before: number): boolean => before === 42 || before === underscore;

/** `//example.com/x` (RFC 3986, 4.2: without the scheme of the page that it is on). */
const relativeStart = (text: string, start: number, from: number): number =>
  start - from > 1 && isRelative(text, start) ? start - 2 : start;

function isRelative(text: string, start: number): boolean {
  if (unitAt(text, start - 1) !== slash || unitAt(text, start - 2) !== slash) return false;
  const before = text.charCodeAt(start - 3);
  return Number.isNaN(before) || ((kinds[before] ?? 0) & BREAK) !== 0 || opening.has(before);
}

const isAfterW = (text: string, at: number): boolean => (unitAt(text, at - 1) | 32) === 119;

const isWww = (text: string, start: number): boolean =>
  (unitAt(text, start) | 32) === 119 && /^www\./i.test(text.slice(start, start + 4));

/** The score of a name after `www.`: it needs one more dot and a letter after it. */
const wwwScore = (name: string): number => (/^www\.[^.].*\.[^.\d][^.]+$/i.test(name) ? 0.9 : 0);

/** Returns the score of the name around the dot at `at` as a host, at its position. */
function nameScore(text: string, { start, host, run }: Name, at: number, to: number): number {
  if (!standsAsHost(text, start, host)) return 0;
  const name = text.slice(start, host);
  const score = scoreOf(name);
  // A name is cached only if it ends at the same position whenever it is found by this dot.
  if (host === run && unitAt(text, start - 1) !== underscore && (run === to || text.charCodeAt(run) < 128))
    known.set(text, at, start, name, score);
  return inTag(text, start, score);
}

/** Returns true if the characters around a name allow a host there. */
function standsAsHost(text: string, start: number, host: number): boolean {
  const before = unitAt(text, start - 1);
  if ((isHost(before) && !isStressed(before)) || ((rolesOf(before) & OPENING) !== 0 && !isRelative(text, start)))
    return false;
  return isNamed(unitAt(text, start)) && (host === text.length || (rolesOf(text.charCodeAt(host)) & FOLLOWING) !== 0);
}

/** Returns the score of a name in view of the text before it: lower in `tag:yaml.org`. */
const inTag = (text: string, start: number, score: number): number =>
  score === sure && unitAt(text, start - 1) === colon && isWord(unitAt(text, start - 2)) ? 0.4 : score;

const sure = 0.6;
/** Logs and code have the same names over and over. */
const known = new NameCache();

/** The score of a name by itself as a host. */
function scoreOf(name: string): number {
  const ending = endingOf(name);
  if (ending === "none" || !isHostName(name)) return 0;
  if (ending === "sure") return sure;
  return ending === "likely" && !inCode.test(name) ? 0.25 : 0.05;
}

/** The first names of member expressions in code. */
const inCode =
  /^(?:this|self|super|cls|window|document|process|module|exports|req|res|request|response|ctx|context|event|evt|err|error|props|state|config|options|opts|args|params|data|item|node|obj|object|result|console|math|json)\./i;

const opening = new Set([..."=('"].map((mark) => mark.charCodeAt(0)));
