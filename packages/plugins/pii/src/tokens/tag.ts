/** The letters of a tag are consonants alone: no word comes of them, no number, and upper and lower case are one. */
export const tagLetters = "bcdfghjkmnpqrstvwxyz";
export const tagLength = 8;

/**
 * Returns a random tag, the unguessable part of a session's tokens: one of 20^8, about 2.6 * 10^10. For custom vaults.
 */
export function randomTag(): string {
  let tag = "";
  while (tag.length < tagLength) {
    for (const byte of globalThis.crypto.getRandomValues(new Uint8Array(tagLength))) {
      // 240 is the largest multiple of 20 in a byte: above it, some letters would be likelier than others.
      if (byte < 240 && tag.length < tagLength) tag += tagLetters.charAt(byte % tagLetters.length);
    }
  }
  return tag;
}
