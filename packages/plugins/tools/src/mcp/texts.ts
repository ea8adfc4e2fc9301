import { withoutUnseen } from "@suite/core/characters";

const longestDescription = 2000;
const longestName = 60;

/** Returns a server's text about a tool without the characters that a person does not see, and bounded. */
export const toolText = (text: string): string => withoutUnseen(text.slice(0, longestDescription));

/**
 * Returns the name by which a tool of a server is offered, which every provider takes. It depends on the server's name of the tool
 * alone: an approval or a policy for it never reaches another tool, whatever else the server lists. A name that has to be changed
 * ends with a digest of the original.
 */
export function toolName(prefix: string, name: string): string {
  const plain = `${prefix}${name.replaceAll(/[^\w-]/g, "_")}`;
  if (plain === `${prefix}${name}` && plain.length <= longestName) return plain;
  const digest = `_${digestOf(name)}`;
  return plain.slice(0, longestName - digest.length) + digest;
}

/** A digest of 64 bits, by two runs of FNV-1a with different primes. No secret: a server can name its tools as it likes. */
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
