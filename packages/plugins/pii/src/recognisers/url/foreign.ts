import { isSpaceless } from "../../scan/characters.js";
import { isAddress } from "./characters.js";
import { hasPublicSuffix } from "./domains.js";

/** How far behind the mark in front of it a host in a script without spaces is followed. */
const longest = 64;

/**
 * The host that goes on over the letter at `index`, of a script without spaces: what stands between `mark` and the
 * letter. Undefined where the letter begins the text behind a host, which it does once there is a top-level domain.
 */
export function hostInto(text: string, index: number, mark: string): string | undefined {
  if (!isSpaceless(text.charCodeAt(index))) return undefined;
  const before = text.slice(Math.max(0, index - longest), index);
  const at = before.lastIndexOf(mark);
  const host = before.slice(at + mark.length);
  return at >= 0 && /^[\p{L}\p{M}\p{N}.-]*$/u.test(host) && !isWhole(host) ? host : undefined;
}

const isWhole = (host: string): boolean => /\.[^.]+$/.test(host) && hasPublicSuffix(host);

const foreignPath = /:\/\/[\p{L}\p{M}\p{N}.-]*[\p{L}\p{M}\p{N}]\/[^\s"'<>`]*$/u;

/** A letter of a script without spaces in the path of a host that has such letters itself. */
export function inForeignPath(text: string, index: number): boolean {
  if (!isSpaceless(text.charCodeAt(index))) return false;
  const address = foreignPath.exec(text.slice(Math.max(0, index - longest), index))?.[0];
  if (address === undefined) return false;
  const host = address.slice(3, address.indexOf("/", 3));
  const units = [...host, ...address.slice(3 + host.length)];
  return (
    [...host].some((letter) => isSpaceless(letter.charCodeAt(0))) && units.every((one) => inAddress(one.charCodeAt(0)))
  );
}

const inAddress = (code: number): boolean => isSpaceless(code) || isAddress(code);
