import { withoutUnseen } from "@suite/kit/text";

const longestDescription = 2000;
const longestName = 60;

/** Truncates a server's description of a tool and removes invisible characters. */
export const toolText = (text: string): string => withoutUnseen(text.slice(0, longestDescription));

/**
 * Returns the name under which a server's tool is offered. It is valid for every provider. It depends only on the
 * server's name of the tool, so that an approval or policy never applies to another tool, whatever else the server
 * lists. A name that must be changed ends with a digest of the original.
 */
export function toolName(prefix: string, name: string): string {
  const sanitized = `${prefix}${name.replaceAll(/[^\w-]/g, "_")}`;
  if (sanitized === `${prefix}${name}` && sanitized.length <= longestName) return sanitized;
  const digest = `_${digestOf(name)}`;
  return sanitized.slice(0, longestName - digest.length) + digest;
}

/**
 * Returns a 64-bit digest from two runs of FNV-1a with different primes. It need not be secure, because a server can
 * choose any name.
 */
function digestOf(name: string): string {
  let [one, two] = [0x811c9dc5, 0x1000193];
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    two = Math.imul(two ^ code, 0x85ebca6b);
    two ^= two >>> 13;
  }
  return (one >>> 0).toString(36).padStart(7, "0") + (two >>> 0).toString(36).padStart(7, "0");
}
