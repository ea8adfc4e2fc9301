import { describe, expect, it } from "@jest/globals";
import { blake2b } from "@noble/hashes/blake2.js";
import { sha256, sha512_256 } from "@noble/hashes/sha2.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { base32nopad, base58, base58xmr, base58xrp, bech32, bech32m, createBase58check } from "@scure/base";
import { detect } from "@suite/pii";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";

const bytes = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length });
const concat = (...parts: readonly ArrayLike<number>[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...Array.from(part)]));

const found = (text: string): string[] =>
  detect(text, { types: ["crypto"] }).map(({ start, end }) => text.slice(start, end));

/** EIP-55 over 20 bytes. */
function ethereum(account: Uint8Array): string {
  const digits = Array.from(account, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const hash = keccak_256(new TextEncoder().encode(digits));
  const cased = [...digits].map((digit, at) =>
    ((hash[at >> 1] ?? 0) >> (at % 2 === 0 ? 4 : 0)) & 8 ? digit.toUpperCase() : digit,
  );
  return `0x${cased.join("")}`;
}

function stellar(key: Uint8Array): string {
  const payload = concat([6 << 3], key);
  let crc = 0;
  for (const byte of payload) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return base32nopad.encode(concat(payload, [crc & 255, crc >> 8]));
}

const checked = (coder: typeof base58, payload: Uint8Array): string =>
  coder.encode(concat(payload, sha256(sha256(payload)).subarray(0, 4)));
const segwit = (prefix: string, version: number, program: Uint8Array): string => {
  const coder = version === 0 ? bech32 : bech32m;
  return coder.encode(prefix, [version, ...coder.toWords(program)]);
};
const ss58 = (key: Uint8Array): string => {
  const payload = concat([42], key);
  return base58.encode(
    concat(payload, blake2b(concat(new TextEncoder().encode("SS58PRE"), payload), { dkLen: 64 }).subarray(0, 2)),
  );
};
const monero = (keys: Uint8Array): string => {
  const payload = concat([18], keys);
  return base58xmr.encode(concat(payload, keccak_256(payload).subarray(0, 4)));
};

/** Each byte with a letter: the letters' case is all that is checked, so that with few of them anything is right by chance. */
const lettered = fc
  .array(fc.constantFrom(0xab, 0xbc, 0xcd, 0xde, 0xef, 0xfa, 0x1a, 0xf2, 0x9d, 0xc7), { minLength: 20, maxLength: 20 })
  .map((account) => Uint8Array.from(account));

const chains: readonly (readonly [name: string, fc.Arbitrary<string>])[] = [
  ["Bitcoin", bytes(20).map((hash) => createBase58check(sha256).encode(concat([0], hash)))],
  ["Litecoin", bytes(20).map((hash) => checked(base58, concat([0x30], hash)))],
  ["Tron", bytes(20).map((hash) => checked(base58, concat([0x41], hash)))],
  ["Zcash", bytes(20).map((hash) => checked(base58, concat([0x1c, 0xb8], hash)))],
  ["XRP", bytes(20).map((hash) => checked(base58xrp, concat([0], hash)))],
  ["SegWit", bytes(20).map((hash) => segwit("bc", 0, hash))],
  ["SegWit in capitals", bytes(32).map((hash) => segwit("tb", 0, hash).toUpperCase())],
  ["Taproot", bytes(32).map((key) => segwit("bc", 1, key))],
  ["Cosmos", bytes(20).map((hash) => bech32.encode("cosmos", bech32.toWords(hash)))],
  ["Cardano", bytes(57).map((hash) => bech32.encode("addr_test", bech32.toWords(hash), 200))],
  ["Ethereum", lettered.map(ethereum)],
  ["Ethereum in lower case", bytes(20).map((account) => ethereum(account).toLowerCase())],
  ["Algorand", bytes(32).map((key) => base32nopad.encode(concat(key, sha512_256(key).subarray(-4))))],
  ["Stellar", bytes(32).map(stellar)],
  ["Polkadot", bytes(32).map(ss58)],
  ["Monero", bytes(64).map(monero)],
];

/** Another letter of the alphabet in its place. */
const altered = (address: string, at: number): string => {
  const letter = address.charAt(at);
  const other = [..."23456789ACDEFacdef"].find(
    (one) => one.toLowerCase() !== letter.toLowerCase() && /\d/.test(one) === /\d/.test(letter),
  );
  return address.slice(0, at) + (other ?? "7") + address.slice(at + 1);
};

describe.each(chains)("%s", (name, address) => {
  // A word without any digit is not looked at: one in some thousands.
  const written = address.filter((text) => /\d/.test(text));

  it("finds addresses next to Chinese letters and marks", () => {
    fc.assert(
      fc.property(written, (text) => {
        expect(found(`钱包${text}，(${text}) to:${text}.`)).toEqual([text, text, text]);
      }),
      { numRuns: runs(60) },
    );
  });

  it("with a wrong letter, or inside longer words, they are not found", () => {
    const all = name === "Ethereum in lower case";
    fc.assert(
      fc.property(written, fc.integer({ min: 6, max: 20 }), (text, at) => {
        if (!all) expect(found(`see ${altered(text, at)} x`)).toEqual([]);
        expect(found(`see x${text}, ${text}x, _${text}`)).toEqual([]);
      }),
      // Polkadot's checksum has 16 bits, so that one in 65,536 is right by chance: its texts are the same each time.
      { numRuns: 60, ...(name === "Polkadot" && { seed: 7 }) },
    );
  });
});

// Test vectors of the specifications: CashAddr, and an address of Cardano's Byron era from CIP-19.
it.each([
  "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
  "qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
  "37btjrVyb4KDXBNC4haBVPCrro8AQPHwvCMp3RFhhSVWwfFmZ6wwzSK6JK1hY6wHNmtrpTf1kdbva8TCneM2YsiXT7mrzT21EacHnPpz5YyUdj64na",
])("%s", (address) => {
  expect(found(`to ${address}.`)).toEqual([address]);
});

it("Solana's addresses have no checksum and need a word before them, or stand alone", () => {
  const key = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T";
  expect(found(key)).toEqual([key]);
  expect(found(`Solana wallet: ${key}`)).toEqual([key]);
  expect(found(`see ${key} there`)).toEqual([]);
  expect(found(`wallet a+${key}=`)).toEqual([]);
});
