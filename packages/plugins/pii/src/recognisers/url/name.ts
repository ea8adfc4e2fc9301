import { BREAK, isDigit, isWord, kinds } from "../../scan/characters.js";
import type { Report } from "../recogniser.js";
import { addressEnd } from "./address.js";
import { isHost, isNamed } from "./characters.js";
import { endingOf, isHostName } from "./domains.js";

const colon = 58;
const slash = 47;
const longestHost = 255;

/** A host without a scheme, around the dot at `at`: with `www.` in front, or under a public suffix. */
export function lookName(text: string, at: number, from: number, to: number, report: Report): number {
  if (at === from || !isNamed(text.charCodeAt(at - 1)) || !isNamed(text.charCodeAt(at + 1))) return at + 1;
  let start = at;
  while (start > from && at - start < longestHost && isHost(text.charCodeAt(start - 1))) start--;
  let run = at;
  while (run < to && isHost(text.charCodeAt(run))) run++;
  let host = run;
  while (host > start && !isNamed(text.charCodeAt(host - 1))) host--;
  const name = text.slice(start, host);
  const www = isWww(name);
  const score = run - start > longestHost ? 0 : www ? wwwScore(name) : nameScore(text, start, host, name);
  if (score === 0) return run;
  const end = addressEnd(text, start, start, host, to);
  if (!www && end === host && text.charCodeAt(host) === colon && isDigit(text.charCodeAt(host + 1))) return run;
  // In quotes a path makes it the name of a module as well.
  const path = text.charCodeAt(host) === slash && end > host && !quotes.has(text.charCodeAt(start - 1));
  report(start, end, path ? Math.max(score, 0.5) : score);
  return Math.max(end, run);
}

const isWww = (name: string): boolean => (name.charCodeAt(0) | 32) === 119 && /^www\./i.test(name);

/** A name with at least one more dot, and a letter behind it. */
const wwwScore = (name: string): number => (/^www\.[^.].*\.[^.\d][^.]+$/i.test(name) ? 0.9 : 0);

function nameScore(text: string, start: number, host: number, name: string): number {
  const before = text.charCodeAt(start - 1);
  if (isHost(before) || notBefore.has(before) || !isNamed(text.charCodeAt(start)) || !mayEnd(text, host)) return 0;
  const ending = endingOf(name);
  if (ending === "none" || !isHostName(name)) return 0;
  // `tag:yaml.org`
  if (ending === "sure") return before === colon && isWord(text.charCodeAt(start - 2)) ? 0.4 : 0.6;
  return ending === "likely" && !inCode.test(name) ? 0.25 : 0.05;
}

/** With these, a member of an object begins. */
const inCode =
  /^(?:this|self|super|cls|window|document|process|module|exports|req|res|request|response|ctx|context|event|evt|err|error|props|state|config|options|opts|args|params|data|item|node|obj|object|result|console|math|json)\./i;

/** Marks that make a name a part of something else. */
const notBefore = new Set([..."@/\\$#&%+^?*"].map((mark) => mark.charCodeAt(0)));
const quotes = new Set([..."\"'`"].map((mark) => mark.charCodeAt(0)));

/** What may follow a host that stands alone: the end, a space, punctuation, a port, a path. */
function mayEnd(text: string, host: number): boolean {
  const after = text.charCodeAt(host);
  return Number.isNaN(after) || ((kinds[after] ?? 0) & BREAK) !== 0 || mayFollow.has(after);
}

const mayFollow = new Set([...".,:;!?)]}'|*/#"].map((mark) => mark.charCodeAt(0)));
