import { bech32, bech32m } from "@scure/base";

/** Chains with SegWit addresses (BIP-173): version 0 has one checksum, later ones another (BIP-350). */
const segwit = new Set(
  "bc tb bcrt ltc tltc rltc vtc tvtc grs tgrs grsrt dgb dgbt mona tmona sys tsys btg tbtg".split(" "),
);
/** Other chains, by the prefixes registered in SLIP-173. */
const plain = new Set(
  `addr addr_test stake stake_test cosmos cosmosvaloper osmo juno kava terra secret akash axelar band celestia cheqd
  chihuahua comdex cro tcro dydx evmos fetch agoric inj kujira migaloo neutron noble omniflix persistence quick regen sei
  sent sif somm stars stride umee xpla thor maya bnb tbnb zil erd one iota smr avax fuji ckb ckt hs ts zs ztestsapling
  canto gravity archway aura`.split(/\s+/),
);
const checkedAnew = new Set(["u", "utest", "sp", "tsp", "aleo"]);

const longestPrefix = Math.max(...[...segwit, ...plain, ...checkedAnew].map(({ length }) => length));
/** Cardano's addresses are longer than the 90 characters of BIP-173. */
const longest = 256;

/** Returns true if a word is an address in Bech32, by its prefix and its checksum. */
export function isBech32(word: string): boolean {
  const separator = word.lastIndexOf("1");
  if (separator < 1 || separator > longestPrefix) return false;
  const address = word.toLowerCase();
  if (address !== word && word.toUpperCase() !== word) return false;
  const prefix = address.slice(0, separator);
  if (plain.has(prefix)) return bech32.decodeUnsafe(address, longest) !== undefined;
  if (checkedAnew.has(prefix)) return bech32m.decodeUnsafe(address, longest) !== undefined;
  if (!segwit.has(prefix)) return false;
  const first = bech32.decodeUnsafe(address);
  return first ? first.words[0] === 0 : (bech32m.decodeUnsafe(address)?.words[0] ?? 0) > 0;
}

const charset = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const generators = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n];

/** Returns true if a word is an address of Bitcoin Cash (CashAddr) on its main network. */
export function isCashAddress(word: string): boolean {
  if (word.length !== 42 || !/^[qp]/i.test(word)) return false;
  const address = word.toLowerCase();
  if (address !== word && word.toUpperCase() !== word) return false;
  let check = 1n;
  for (const value of [...[..."bitcoincash"].map((letter) => letter.charCodeAt(0) & 31), 0, ...values(address)]) {
    if (value < 0) return false;
    const top = check >> 35n;
    check = ((check & 0x07ffffffffn) << 5n) ^ BigInt(value);
    for (const [bit, generator] of generators.entries()) if ((top >> BigInt(bit)) & 1n) check ^= generator;
  }
  return check === 1n;
}

const values = (address: string): number[] => [...address].map((letter) => charset.indexOf(letter));
