import { providers } from "../../scan/providers.js";
import { kindOf } from "./credential-words.js";
import { isJumbled } from "./randomness.js";

/**
 * The distance at which a value's name may stand before it where nothing assigns it: `Using the Okta token …`, `key ||
 * "…"`.
 */
const window = 48;
const mostWords = 5;
const shortest = 20;
const longest = 120;
/** The character directly before a separate value, which is not part of a path, an address or a name. */
const opens = /["'`=:>(\s]$/;
/** The text up to the last line end or field separator, which does not describe the value. */
const otherField = /^[\s\S]*(?:[\n\r\t;]|(?<!\|)\|(?!\|)|["'],|,["'])(?=.)/;
/** Random values that open nothing. */
const others =
  /^(?:h|commits?|sha|hash|hashes|digest|checksum|md|etag|rev|revision|head|integrity|fingerprint|thumbprint|image|layer|blob|tree|trace|span|request|uuid|guid|id|ids|nonce|cursor|page|signature|serial|version|public|publishable|address|wallet|tx|txid|transaction|block|session|event|file|path|url|uri|link|href|src|resource|object|order|message|msg|dsn|sitekey|boundary|salt|iv|cid|ref|sid|node|css|class|svg|font|data|content|chunk|build|snapshot|hashed)$/;
const hexadecimal = /^[\da-f-]+$/i;

/**
 * Returns true if words near a random value, with at most a few other words between, mark it as a key: the name of a
 * provider, or words for keys.
 */
export function isNamedNear(before: string, value: string): boolean {
  if (value.length < shortest || value.length > longest || !opens.test(before) || isCode(value)) return false;
  const words = before
    .slice(-window)
    .replace(otherField, "")
    .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/)
    .filter((word) => word !== "");
  const first = Math.max(0, words.length - (hexadecimal.test(value) ? 3 : mostWords));
  for (let index = words.length - 1; index >= first; index--) {
    const word = (words[index] ?? "").toLowerCase();
    if (others.test(word)) return false;
    if (providers.has(word) || providers.has((words[index - 1] ?? "").toLowerCase() + word)) return true;
    const kind = kindOf(words.slice(Math.max(0, index - 2), index + 1));
    if (kind !== undefined && kind !== "cipher") return true;
  }
  return false;
}

/**
 * Names, and ids whose prefix names their type: `ed25519.Ed25519PrivateKey`, `TCA_KEY_L2TPV3_SID`, `slch_01SvpyRQK3`.
 */
const isCode = (value: string): boolean =>
  /\.|=[^=]/.test(value) ||
  value.startsWith("eyJ") ||
  /^[a-z]{2,8}_[\dA-Za-z]+$/.test(value) ||
  (/[_-]/.test(value) && !isJumbled(value));
