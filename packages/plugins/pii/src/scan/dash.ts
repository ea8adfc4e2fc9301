/** Dashes that a word processor makes of a hyphen: figure dash to horizontal bar, minus. U+2010 to U+2012 read as `-` everywhere. */
export const isDash = (code: number): boolean => (code >= 0x2013 && code <= 0x2015) || code === 0x2212;
