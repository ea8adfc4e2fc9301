import ipaddr from "ipaddr.js";
import { isDigit, isHex, isWord, unitAt } from "../scan/characters.js";
import type { Recogniser, Report } from "../scan/recogniser.js";
import { afterLabel } from "./label.js";
import { isNumbered, isOfProduct, isSmall } from "./version.js";

const colon = 58;
const dot = 46;
const percent = 37;
const hyphen = 45;
const slash = 47;
const zero = 48;
const longestBefore = 32;
/** Four numbers without the name of a product before them, so no words need to be checked. */
const sure = 0.92;
/** The score of four small numbers without further evidence. */
const unlikely = 0.45;
const longestV4 = 15;
/** `0000:0000:0000:0000:0000:ffff:255.255.255.255`. */
const longestV6 = 45;
const longestZone = 32;

/**
 * IP addresses: IPv4 in four decimal parts, and IPv6 in all text forms (RFC 4291, RFC 5952), also mapped, with a zone
 * id (RFC 4007), or in brackets before a port. A port or prefix length after it is not part of it. Four numbers as
 * small as those of versions need a port, a keyword, or to be the whole text.
 *
 * @example 192.168.0.1
 * @example 2001:db8::1
 */
export const ip = {
  type: "ip",
  triggers: ":0123456789",
  sites: ["^d+.d+.d+.d", "::", ":x*:x*:x*:x*:x*:"],
  reach: 64,
  anyCase: true,
  labels: { ip: 0.4 },
  alone: 0.35,
  // The name of a field stands before the text.
  onlyLowers: true,
  weigh: (score, before, value) => (isNumbered(before, value) ? Math.min(score, 0.2) : score),
  look(text, at, from, to, report) {
    return unitAt(text, at) === colon ? lookV6(text, at, from, to, report) : lookV4(text, at, to, report);
  },
  normal: oneForm,
  // Shows only the last group, also if the separators are full-width or escaped.
  mask(value) {
    const last = /[\p{Nd}a-f]{0,4}$/iu.exec(value)?.[0] ?? "";
    return /^\p{Nd}{1,3}[^\p{Nd}:：]/u.test(value) ? `*.*.*.${last}` : `****:****:${last}`;
  },
} as const satisfies Recogniser;

/** RFC 5952, and of an IPv4 address that is mapped into IPv6 that address. */
function oneForm(value: string): string {
  const plain = value.includes(":") ? value : withoutZeros(value);
  return ipaddr.isValid(plain) ? ipaddr.process(plain).toString() : value.toLowerCase();
}

function lookV4(text: string, start: number, to: number, report: Report): number {
  const before = unitAt(text, start - 1);
  if (isWord(before) || before === dot) return start + 1;
  let end = start;
  let dots = 0;
  for (let run = start; run < to; run++) {
    const code = unitAt(text, run);
    if (code === dot) dots++;
    else if (isDigit(code)) end = run + 1;
    else break;
  }
  // Most are decimals.
  if (dots < 3 || !endsV4(text, end, to)) return start + 1;
  if (!isV4(text, start, end)) return start + 1;
  const address = text.slice(start, end);
  const words = text.slice(Math.max(0, start - longestBefore), start);
  if (isOfProduct(words, address)) return end;
  const unsaid = isSmall(address) && !isPlace(before, unitAt(text, end), unitAt(text, end + 1)) ? unlikely : sure;
  report(start, end, isNumbered(words, address) ? 0.2 : unsaid);
  return end;
}

/** `@1.2.0.3`, `/1.2.0.3`, `1.2.0.3:80` and `1.2.0.3/24` are nothing else. */
const isPlace = (before: number, after: number, next: number): boolean =>
  before === 64 || before === slash || ((after === colon || after === slash) && isDigit(next));

/** Four numbers of at most 255; zeros in front are taken as decimal, as people write them. */
function isV4(text: string, start: number, end: number): boolean {
  if (end - start > longestV4) return false;
  let parts = 1;
  let value = 0;
  let length = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code !== dot) {
      value = value * 10 + code - zero;
      length++;
      if (value > 255) return false;
      continue;
    }
    if (length === 0) return false;
    parts++;
    value = length = 0;
  }
  return parts === 4 && length > 0;
}

const withoutZeros = (address: string): string => address.replaceAll(/(^|\.)0+(?=\d)/g, "$1");

/** The text after the first address of a range: the second one, or its last number. */
const range = /^-\d{1,3}(?:(?:\.\d{1,3}){3})?(?![\d.])/;
/** `lib-1.2.0.3.jar`. */
const file =
  /^\.(?:jar|war|aar|dll|exe|msi|deb|rpm|apk|whl|gem|nupkg|tar|tgz|zip|gz|xz|bz2|so|dmg|pkg|iso|img)(?![\w])/i;

/**
 * Returns true if an address may end here: not in a version such as `1.2.3.4-beta`, but as the first of
 * `10.0.0.1-10.0.0.9`.
 */
function endsV4(text: string, end: number, to: number): boolean {
  const after = unitAt(text, end);
  if (after === dot) return !file.test(text.slice(end, Math.min(to, end + 8)));
  if (after === hyphen) {
    const next = unitAt(text, end + 1);
    return isDigit(next) ? range.test(text.slice(end, Math.min(to, end + 17))) : !isWord(next);
  }
  return !isWord(after) && after !== 95;
}

function lookV6(text: string, at: number, from: number, to: number, report: Report): number {
  const start = startV6(text, at, from);
  let run = Math.max(start, at);
  const limit = Math.min(to, start + longestV6 + 1);
  let colons = 0;
  let double = false;
  for (; run < limit && isV6Character(text.charCodeAt(run)); run++) {
    if (unitAt(text, run) !== colon) continue;
    colons++;
    double ||= unitAt(text, run + 1) === colon;
  }
  // Most text with colons is a time or a MAC address, and too short.
  if (!double && colons < 6) return at + 1;
  let end = run;
  while (end > start && isTrailing(text, end)) end--;
  const candidate = text.slice(start, end);
  const score =
    start < 0 || end <= at || isWord(unitAt(text, end)) ? 0 : scoreV6(candidate, unitAt(text, start - 1) === colon);
  if (score === 0) return at + 1;
  report(start, zoneEnd(text, end, to), score);
  return end;
}

/** Returns the beginning of an address whose first colon is at `at`, or -1 if it cannot be one. */
function startV6(text: string, at: number, from: number): number {
  let start = at;
  while (start > from && at - start < 4 && isHex(text.charCodeAt(start - 1))) start--;
  const before = unitAt(text, start - 1);
  if (before === colon && start === at) return -1;
  // `host:2001:db8::1`: the first colon belongs to a label.
  if (isWord(before) || (start === at && unitAt(text, at + 1) !== colon)) return at + 1;
  if (before === dot) return -1;
  return before !== colon || afterLabel(text, start, from) ? start : -1;
}

/**
 * Returns 0 for letters alone, such as `::add` or `a::b`, which are names in code, and for short numbers after a name
 * (`a.py:34:58::34`), which are positions in code, unless a label says otherwise.
 */
function scoreV6(candidate: string, labelled: boolean): number {
  if (candidate.length < 2 || candidate.length > longestV6) return 0;
  const groups = candidate.split(":");
  if (groups.length < 7 && !candidate.includes("::")) return 0;
  if (!ipaddr.IPv6.isValid(candidate)) return 0;
  if (labelled && groups.every((group) => /^\d{0,2}$/.test(group))) return 0.2;
  return groups.filter((group) => group !== "").length < 3 && !/\d/.test(candidate) ? 0.2 : 0.9;
}

/** A full stop, or one colon, after an address. */
function isTrailing(text: string, end: number): boolean {
  const last = unitAt(text, end - 1);
  return last === dot || (last === colon && unitAt(text, end - 2) !== colon);
}

/** `fe80::1%eth0` */
function zoneEnd(text: string, at: number, to: number): number {
  if (unitAt(text, at) !== percent) return at;
  let end = at + 1;
  const limit = Math.min(to, at + longestZone);
  while (end < limit && (isWord(text.charCodeAt(end)) || isInsideZone(text, end))) end++;
  return end > at + 1 ? end : at;
}

const isInsideZone = (text: string, at: number): boolean => {
  const code = unitAt(text, at);
  return (code === dot || code === hyphen || code === 95) && isWord(unitAt(text, at + 1));
};

const isV6Character = (code: number): boolean => isHex(code) || code === colon || code === dot;
