/** True for white space and control characters, which end a URL. */
export const isSpace = (code: number): boolean =>
  code <= 0x20 || (code >= 0x7f && (code <= 0xa0 || (code >= 0x1680 && isWideSpace(code))));

const isWideSpace = (code: number): boolean =>
  code === 0x1680 ||
  (code >= 0x2000 && code <= 0x200a) ||
  code === 0x2028 ||
  code === 0x2029 ||
  code === 0x202f ||
  code === 0x205f ||
  code === 0x3000;

export const isLetter = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 122;
