import { isBreak, isDigit, isWord, unitAt } from "../../scan/characters.js";
import type { Recogniser, Report } from "../../scan/recogniser.js";
import { isBase32 } from "./base32.js";
import { base58Score, longestBase58, shortestBase58 } from "./base58.js";
import { isBech32, isCashAddress } from "./bech32.js";
import { isEthereum } from "./ethereum.js";

const underscore = 95;
const cashPrefix = "bitcoincash:";
/** Characters that show, before or after a word, that it is part of base 64. */
const base64 = new Set([..."+/=-"].map((mark) => mark.charCodeAt(0)));

/**
 * Wallet addresses, by their checksums (Bitcoin, Ethereum and relatives). Solana's have none, so they need a keyword or
 * must be the whole text.
 *
 * @example 1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2
 */
export const crypto = {
  type: "crypto",
  triggers: "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
  // Four letters before the first digit, two after it, or only the `x` of `0x` among digits.
  sites: ["looo+d", "dc*ac*a", "dad{7}"],
  inStretches: true,
  labels: { crypto: 0.4 },
  alone: 0.35,
  look(text, at, from, to, report) {
    let start = at;
    while (start > from && isAddress(text.charCodeAt(start - 1))) start--;
    let hasDigit = false;
    for (let end = start; ; end++) {
      const code = end < to ? text.charCodeAt(end) : 0;
      if (isAddress(code)) {
        hasDigit ||= isDigit(code);
        continue;
      }
      if (hasDigit && end - start >= shortestBase58 && end - start <= longestBase58)
        lookWord(text, start, end, from, report);
      if (isBreak(code)) return Math.max(end, at + 1);
      start = end + 1;
      hasDigit = false;
    }
  },
  normal: oneCase,
  mask(value) {
    return value.length < 12 ? "****" : `${value.slice(0, 4)}****${value.slice(-4)}`;
  },
} as const satisfies Recogniser;

/** Only base58 distinguishes upper and lower case. An optional prefix is removed. */
function oneCase(value: string): string {
  const lower = value.toLowerCase();
  const bare = lower.startsWith(cashPrefix) ? lower.slice(cashPrefix.length) : lower;
  return isEthereum(value) || isBase32(value) || isBech32(value) || isCashAddress(bare) ? bare : value;
}

function scoreOf(word: string): number {
  if (isEthereum(word) || isBase32(word) || isBech32(word) || isCashAddress(word)) return 0.95;
  return base58Score(word);
}

function withPrefix(text: string, start: number, from: number): number {
  const at = start - cashPrefix.length;
  return at >= from && text.slice(at, start).toLowerCase() === cashPrefix ? at : start;
}

/** Looks at a word with a digit in it. */
function lookWord(text: string, start: number, end: number, from: number, report: Report): void {
  if (isAddress(unitAt(text, start - 1)) || isAddress(unitAt(text, end))) return;
  const score = scoreOf(text.slice(start, end));
  if (score === 0) return;
  // Without a checksum it must not be a piece of something longer.
  if (score < 0.5 && (base64.has(unitAt(text, start - 1)) || base64.has(unitAt(text, end)))) return;
  report(withPrefix(text, start, from), end, score);
}

const isAddress = (code: number): boolean => isWord(code) || code === underscore;
