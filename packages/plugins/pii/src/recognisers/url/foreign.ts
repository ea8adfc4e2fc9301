import { isLetter, isSpaceless, isWord } from "../../scan/characters.js";
import { isAddress } from "./characters.js";
import { hasPublicSuffix } from "./domains.js";

const slash = 47;
const backslash = 92;
const enDash = 0x2013;
/** The maximum length of a host in a script without spaces, from the mark before it. */
const longest = 64;

/**
 * The marks in front of a host: a scheme, also with its slashes escaped as in JSON, or `www.`; and the mark of e-mail
 * addresses.
 */
const marks = {
  address: String.raw`(?::\\{0,4}\/\\{0,4}\/|(?:(?<![A-Za-z\d.-])|(?<=\\[nrt]))www\.)`,
  mailbox: "@",
} as const;
const inside = String.raw`[\p{L}\p{M}\p{N}\p{So}\ud800-\udfff.-]`;
const hosts = {
  address: new RegExp(`${marks.address}(${inside}*)$`, "iu"),
  mailbox: new RegExp(`${marks.mailbox}(${inside}*)$`, "u"),
} as const;

/**
 * Returns the host that continues over the character at `index`, a letter of a script without spaces or a symbol (UTS
 * 46 allows both): the text between the mark before it and the character. Returns `undefined` if the character begins
 * the text after a host, which is so after a top-level domain.
 */
export function hostInto(text: string, index: number, of: keyof typeof hosts): string | undefined {
  const code = text.charCodeAt(index);
  const symbol = isSymbol(code);
  if (!symbol && !isSpaceless(code)) return undefined;
  const host = hosts[of].exec(text.slice(Math.max(0, index - longest), index))?.[1];
  if (host === undefined || isWhole(host)) return undefined;
  return symbol && !beginsPart.test(host) ? undefined : host;
}

/** An arrow, a heart, an emoji. */
const isSymbol = (code: number): boolean =>
  (code >= 0xd800 && code < 0xe000) || (code >= 0x2190 && code < 0x2c00 && /\p{So}/u.test(String.fromCharCode(code)));
const beginsPart = /(?:^|\.|[\p{So}\ud800-\udfff])$/u;

/** Returns true if a host contains a symbol. */
export function hasSymbol(host: string): boolean {
  // The first symbols outside of ASCII are `¦` and `©`.
  for (let at = 0; at < host.length; at++) if (host.charCodeAt(at) > 127) return /[\p{So}\ud800-\udfff]/u.test(host);
  return false;
}

/** Names reserved for documentation, tests and private networks (RFC 2606, RFC 6761, RFC 6762). */
const reserved = /\.(?:example|test|invalid|local(?:host)?|internal|home|lan|corp)$/i;
const isWhole = (host: string): boolean => /\.[^.]+$/.test(host) && (hasPublicSuffix(host) || reserved.test(host));

const foreignPath = new RegExp(
  `${marks.address}([\\p{L}\\p{M}\\p{N}\\p{So}.-]*[\\p{L}\\p{M}\\p{N}](?::\\d{1,5})?)((?:\\\\{0,4}\\/|[?#])[^\\s"'<>\`]*)$`,
  "iu",
);
/**
 * The characters after an ASCII host after which such letters begin a part of the path or the query. Directly after the
 * host they begin a sentence.
 */
const separators = new Set([..."/=_(,#?&+~:%-"].map((mark) => mark.charCodeAt(0)));

/**
 * Returns true for a character outside of ASCII that continues a path and ends words elsewhere (RFC 3987 allows each of
 * them): a letter of a script without spaces, if the host has such letters too or if a part begins with it, a symbol
 * that begins a part, and an en dash between two letters or digits. Directly after the host a symbol belongs to the text.
 */
export function inForeignPath(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (isSpaceless(code)) return inPath(text, index, mayContinue);
  if (code === enDash) return isBetweenWords(text, index) && inPath(text, index, () => true);
  if (!isPathSymbol(code)) return false;
  const begins = beginOfSymbols(text, index);
  return (
    separators.has(text.charCodeAt(begins - 1)) && inPath(text, index, (_, path) => path.length > index - begins + 1)
  );
}

function inPath(text: string, index: number, test: (host: string, path: string, code: number) => boolean): boolean {
  const [, host = "", path = ""] = foreignPath.exec(text.slice(Math.max(0, index - longest), index)) ?? [];
  if (host === "" || ![...path].every((one) => inAddress(one.charCodeAt(0)))) return false;
  return test(host, path, text.charCodeAt(index));
}

/** Returns true if a path may continue with a letter of a script without spaces. */
function mayContinue(host: string, path: string, code: number): boolean {
  if (hasSymbol(host) || [...host].some((letter) => isSpaceless(letter.charCodeAt(0)))) return true;
  let begins = path.length;
  while (begins > 0 && isSpaceless(path.charCodeAt(begins - 1))) begins--;
  const mark = path.charCodeAt(begins - 1);
  const first = begins < path.length ? path.charCodeAt(begins) : code;
  return (
    path.slice(0, begins).replace("\\", "").length > 1 && separators.has(mark) && !(mark === slash && isParticle(first))
  );
}

/** The maximum number of units of symbols at the beginning of a part. */
const mostSymbols = 4;

/** Returns the index of the first symbol of those that end at `index`, at most four units before it. */
function beginOfSymbols(text: string, index: number): number {
  let begins = index;
  while (index - begins < mostSymbols && isPathSymbol(text.charCodeAt(begins - 1))) begins--;
  return begins;
}

/** A symbol or a sign of a currency, also as a half of a pair. */
const isPathSymbol = (code: number): boolean =>
  (code >= 0xd800 && code < 0xe000) ||
  (code > 0xa0 && code < 0x2c00 && /[\p{So}\p{Sc}]/u.test(String.fromCharCode(code)));

/** Returns true between two letters or digits, also if the second one has not come yet. */
const isBetweenWords = (text: string, index: number): boolean =>
  isWordUnit(text.charCodeAt(index - 1)) && (index + 1 === text.length || isWordUnit(text.charCodeAt(index + 1)));

const isWordUnit = (code: number): boolean => isWord(code) || isLetter(code);

/** Hiragana directly after a slash: `…/を` is a Japanese particle, not a title. */
const isParticle = (code: number): boolean => code > 0x3040 && code < 0x30a0;

const inAddress = (code: number): boolean =>
  isSpaceless(code) || isAddress(code) || isPathSymbol(code) || code === enDash || code === backslash;
