import { isSpaceless, unitAt } from "../../scan/characters.js";
import type { Report } from "../../scan/recogniser.js";
import { addressEnd, afterUser, endOfHost } from "./address.js";
import { hasPublicSuffix, isHostName } from "./domains.js";
import { hasSymbol } from "./foreign.js";

const slash = 47;
const schemes = ["https", "http", "ftps", "sftp", "ftp", "wss", "ws"] as const;

/** An address with a scheme, around the colon at `at`. */
export function lookScheme(text: string, at: number, from: number, to: number, report: Report): number {
  if (unitAt(text, at + 1) !== slash || unitAt(text, at + 2) !== slash) return at + 1;
  const start = schemeStart(text, at, from);
  if (start < 0) return at + 3;
  const host = afterUser(text, at + 3, to);
  const hostEnd = endOfHost(text, host, to);
  const end = addressEnd(text, start, host, hostEnd, to);
  if (hostEnd === host || !mayExist(text.slice(host, hostEnd), unitAt(text, hostEnd))) return at + 3;
  // Less than a secret in it.
  report(start, end, 0.96);
  return end;
}

/**
 * Returns true if a host may exist. Under a public suffix names consist of letters, digits and hyphens. Elsewhere any
 * name is possible, except an endless one in a script without spaces.
 */
function mayExist(host: string, after: number): boolean {
  const name = host.endsWith(".") ? host.slice(0, -1) : host;
  const foreign = isSpaceless(after) || hasSymbol(name);
  if (isHostName(name) && !foreign) return true;
  return name.includes(".") && hasPublicSuffix(name) ? isHostName(name) : !foreign;
}

/** The beginning of the scheme that ends at `at`; -1 for one that is not a web address. */
function schemeStart(text: string, at: number, from: number): number {
  for (const scheme of schemes) {
    const start = at - scheme.length;
    if (start >= from && standsAt(text, start, scheme)) return start;
  }
  return -1;
}

/** Returns true if a scheme stands at `start`, in letters of either case. */
function standsAt(text: string, start: number, scheme: string): boolean {
  for (let index = scheme.length - 1; index >= 0; index--) {
    if ((text.charCodeAt(start + index) | 32) !== scheme.charCodeAt(index)) return false;
  }
  return true;
}
