const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Random bytes in reserve: drawing a few costs nearly as much as drawing many. */
const pool = new Uint8Array(1024);
let drawn = pool.length;

/** Returns `bytes` random bytes in lower-case hex. */
export function randomHex(bytes: number): string {
  if (drawn + bytes > pool.length) {
    crypto.getRandomValues(pool);
    drawn = 0;
  }
  let hex = "";
  for (const end = drawn + bytes; drawn < end; drawn++) hex += digits[pool[drawn] as number];
  return hex;
}
