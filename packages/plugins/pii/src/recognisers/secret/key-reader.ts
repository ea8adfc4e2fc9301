import { isWord } from "../../scan/characters.js";
import type { WalkerReport } from "../../scan/recogniser.js";

/** No marker is longer. */
export const longestMarker = 96;
const marker = /-{4,5} ?END (?:[A-Z\d]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}/y;
const hyphen = 45;

/** The longest key that is held back, with its markers. */
const longest = 4096;
/** A run of base64 of this length is a line of a key, and no word. */
const line = 24;
const rest = /[\d+/=]|.[A-Z]/;
/** The most shorter runs before the marker at the end: the last line, a checksum, line ends in source code. */
const mostShort = 6;
const longestGap = 256;
/**
 * The text that may stand between the marker and the key: `Proc-Type: 4,ENCRYPTED`, `Version: GnuPG v2`, line ends,
 * quotes.
 */
const before = String.raw`^(?:[\s"',.+>#*|/]|\\[nrt]?|[A-Z][A-Za-z-]{2,30}: [^\n\\]{0,160}(?:\n|\\+[nr]))*`;
const headers = new RegExp(`${before}$`);
const insideHeader = new RegExp(`${before}[A-Z][A-Za-z-]{2,30}: [^\\n\\\\]{0,160}$`);
const longestHeaders = 640;
/** The characters between the lines of a key, also in source code. */
const separators = new Set([..." \t\r\n\"'`\\,.>#*|+;"].map((mark) => mark.charCodeAt(0)));

/**
 * Reads one private key from the end of its first marker, in any number of chunks. Positions are in units of the
 * stream.
 */
export class KeyReader {
  readonly #start: number;
  readonly #body: number;
  #at: number;
  /** The length of the run of base64 before `#at`, and the number of short ones since the last line. */
  #run = 0;
  #short = 0;
  /** The end of the last line of the key; 0 before the first one. */
  #solid = 0;
  /** The end of the reported part of an overlong key. 0 while it is held. */
  #reported = 0;
  done = false;

  constructor(start: number, body: number) {
    this.#start = start;
    this.#body = body;
    this.#at = body;
  }

  /**
   * Continues reading. Returns the position before which no more matches will begin: the end of the key, once it is
   * `done`.
   */
  read(text: string, base: number, ended: boolean, report: WalkerReport): number {
    for (;;) {
      const index = this.#at - base;
      if (this.#at - this.#start >= longest && this.#reported === 0) this.#takeOut(this.#start + longest, report);
      if (index >= text.length) {
        if (!ended) return this.#held(report);
        this.#closeRun(text, base);
        return this.#end(this.#solid, report);
      }
      const unit = text.charCodeAt(index);
      if (isBase64(unit)) {
        if (++this.#run === line && this.#solid === 0 && !this.#begins(text, base)) return this.#end(0, report);
        this.#at++;
        if (this.#run >= line && this.#solid > 0) this.#solid = this.#at;
      } else {
        this.#closeRun(text, base);
        if (unit === hyphen) {
          const last = markerEnd(text, index, ended);
          if (last === undefined) return this.#held(report);
          if (last > 0) return this.#end(this.#solid > 0 ? base + last : 0, report);
        }
        if (this.#solid > 0 && !separators.has(unit)) return this.#end(this.#solid, report);
        this.#at++;
      }
      if (this.#isLost()) return this.#end(this.#solid, report);
    }
  }

  /** The first line of the key, or a long word in a header: whether it can still be a key. */
  #begins(text: string, base: number): boolean {
    const known = text.slice(this.#body - base, this.#at - base + 1 - line);
    if (headers.test(known)) {
      this.#solid = this.#at;
      this.#short = 0;
    }
    return this.#solid > 0 || insideHeader.test(known);
  }

  /** Ends a run. A rest of a key, shorter than a line, is still part of it. Other short runs are words. */
  #closeRun(text: string, base: number): void {
    if (this.#run >= line) this.#short = 0;
    else if (this.#run > 0) {
      const index = this.#at - base;
      if (this.#short++ === 0 && this.#solid > 0 && rest.test(text.slice(index - this.#run, index)))
        this.#solid = this.#at;
    }
    this.#run = 0;
  }

  #isLost(): boolean {
    if (this.#solid === 0) return this.#at - this.#body > longestHeaders;
    return this.#short > mostShort || this.#at - this.#solid > longestGap;
  }

  #end(position: number, report: WalkerReport): number {
    this.done = true;
    if (this.#solid === 0) return this.#body;
    this.#takeOut(position, report);
    return Math.max(position, this.#reported);
  }

  #held(report: WalkerReport): number {
    if (this.#reported === 0) return this.#start;
    this.#takeOut(this.#solid, report);
    return this.#reported;
  }

  /** Reports what lies before `position`: once as a match, and all later parts as its tail. */
  #takeOut(position: number, report: WalkerReport): void {
    if (position <= this.#reported) return;
    const first = this.#reported === 0;
    report(first ? this.#start : this.#reported, position, 1, !first);
    this.#reported = position;
  }
}

/** Returns the end of the marker at `at`, 0 if there is none, or `undefined` if it is not decided yet. */
function markerEnd(text: string, at: number, ended: boolean): number | undefined {
  marker.lastIndex = at;
  const end = marker.test(text) ? marker.lastIndex : 0;
  if (ended || (end > 0 && end < text.length)) return end;
  return text.length - at < longestMarker ? undefined : end;
}

/** Returns true if a unit is one of base64, with its padding. */
const isBase64 = (unit: number): boolean => isWord(unit) || unit === 43 || unit === 47 || unit === 61;
