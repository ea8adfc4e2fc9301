import { isDigit, isWord, unitAt } from "../../scan/characters.js";
import { ADDRESS, CLOSING, isAddress, isHost, isNamed, rolesOf } from "./characters.js";
import { closed, trimmed } from "./end.js";
import { fieldEnd } from "./field.js";
import { hostInto, inForeignPath } from "./foreign.js";

const colon = 58;
const slash = 47;
const bracket = 91;
const dot = 46;
const longestLiteral = 64;

/** Returns the beginning of the host after `user:password@`. */
export function afterUser(text: string, from: number, to: number): number {
  let host = from;
  for (let index = from; index < to; index++) {
    const code = unitAt(text, index);
    if (code === slash || code === 63 || code === 35 || !isAddress(code)) break;
    if (code === 64) host = index + 1;
  }
  return host;
}

/** Returns the end of the host that begins at `from`, or `from` if it is absent. */
export function endOfHost(text: string, from: number, to: number): number {
  const first = unitAt(text, from);
  if (first === bracket) return literalEnd(text, from, to);
  const end = nameEnd(text, from, to);
  return isNamed(first) || hostInto(text, from, "address") !== undefined ? end : from;
}

/** Returns the end of the name that continues at `from`, without the dots of `…`. */
export function nameEnd(text: string, from: number, to: number): number {
  let end = from;
  while (end < to && (isHost(text.charCodeAt(end)) || hostInto(text, end, "address") !== undefined)) end++;
  let dots = end;
  while (dots > from && text.charCodeAt(dots - 1) === dot) dots--;
  return end - dots > 1 ? dots : end;
}

/** Returns the end of an IP literal such as `[2001:db8::1]`, also with a zone (RFC 3986, RFC 6874). */
function literalEnd(text: string, from: number, to: number): number {
  let colons = 0;
  for (let index = from + 1; index < Math.min(to, from + longestLiteral); index++) {
    const code = unitAt(text, index);
    if (code === 93) return colons > 1 ? index + 1 : from;
    if (code === colon) colons++;
    else if (!isLiteral(code)) return from;
  }
  return from;
}

function digitsEnd(text: string, from: number, to: number): number {
  let end = from;
  while (end < to && end < from + 5 && isDigit(text.charCodeAt(end))) end++;
  return end;
}

/** The characters of ASCII that go on an address, whatever stands before them. */
const plain = new RegExp(
  `[${Array.from({ length: 128 }, (_, code) => (isPlain(code) ? `\\x${code.toString(16).padStart(2, "0")}` : "")).join("")}]*`,
  "y",
);

function isPlain(code: number): boolean {
  return (rolesOf(code) & (ADDRESS | CLOSING)) === ADDRESS;
}

/** The end of such characters: addresses are long, and a pattern reads them in half the time of a loop. */
function plainEnd(text: string, from: number, to: number): number {
  plain.lastIndex = 0;
  plain.test(text.slice(from, to));
  return from + plain.lastIndex;
}

/**
 * Returns the end of port, path, query and fragment after a host.
 *
 * @param start The beginning of the whole address.
 * @param from The beginning of its host.
 */
export function addressEnd(text: string, start: number, from: number, host: number, to: number): number {
  let end = host;
  let closing = false;
  const port = unitAt(text, end) === colon ? digitsEnd(text, end + 1, to) : end;
  if (port > end + 1 && !isDigit(unitAt(text, port))) end = port;
  const next = unitAt(text, end);
  if (end < to && (next === slash || next === 63 || next === 35)) {
    const path = end;
    for (end = plainEnd(text, end, to); end < to; end++) {
      const code = text.charCodeAt(end);
      const role = rolesOf(code);
      if ((role & ADDRESS) === 0 && !inForeignPath(text, end)) break;
      if (closing || (role & CLOSING) === 0) continue;
      // `(https://…)`: nothing was opened before, and no mark of a list seen.
      if (code === 41 || code === 93 || code === 125) break;
      closing = true;
    }
    if (closing) end = fieldEnd(text, start, path, end, start === from);
  }
  return trimmed(text, start, from, closing || unitAt(text, from) === bracket ? closed(text, from, end) : end);
}

const isLiteral = (code: number): boolean => isWord(code) || code === dot || code === 37 || code === 45 || code === 126;
