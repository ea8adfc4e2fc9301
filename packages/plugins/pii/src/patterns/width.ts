/** The number of UTF-16 units that a pattern can match. */
export interface Width {
  readonly min: number;
  readonly max: number;
}

const none: Width = { min: 0, max: 0 };
const unit: Width = { min: 1, max: 1 };
/** A class may hold characters of two units. */
const oneOrTwo: Width = { min: 1, max: 2 };

/**
 * Computes bounds of a pattern's width from its source, in the syntax common to RE2 and JavaScript. If unsure, it
 * overestimates. The engine must already have accepted the pattern.
 */
export function widthOf(source: string): Width {
  return new Reader(source).alternatives();
}

class Reader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  alternatives(): Width {
    let { min, max } = this.#sequence();
    while (this.#skip("|")) {
      const other = this.#sequence();
      min = Math.min(min, other.min);
      max = Math.max(max, other.max);
    }
    return { min, max };
  }

  #sequence(): Width {
    let min = 0;
    let max = 0;
    while (this.#at < this.#source.length && !this.#sees("|") && !this.#sees(")")) {
      const atom = this.#atom();
      const [least, most] = this.#quantifier();
      min += atom.min * least;
      max += atom.max === 0 || most === 0 ? 0 : atom.max * most;
    }
    return { min, max };
  }

  #atom(): Width {
    const character = this.#source[this.#at++];
    if (character === "^" || character === "$") return none;
    if (character === ".") return oneOrTwo;
    if (character === "[") return this.#class();
    if (character === "\\") return this.#escape();
    return character === "(" ? this.#group() : this.#literal();
  }

  /**
   * The first half of a pair counts as one, and the second half as the next atom. Case folding keeps within one or two.
   */
  #literal(): Width {
    const code = this.#source.charCodeAt(this.#at - 1);
    return code < 0x80 ? unit : oneOrTwo;
  }

  #group(): Width {
    if (this.#skip("?")) {
      const name = /^(?:P?<[^>]*>|[\w-]*(?=[:)]))/.exec(this.#source.slice(this.#at));
      this.#at += name?.[0].length ?? 0;
      if (this.#skip(")")) return none;
      this.#skip(":");
    }
    const inner = this.alternatives();
    this.#skip(")");
    return inner;
  }

  #class(): Width {
    this.#skip("^");
    this.#skip("]");
    while (this.#at < this.#source.length && !this.#skip("]")) {
      if (this.#source.startsWith("[:", this.#at))
        this.#at = Math.max(this.#source.indexOf(":]", this.#at) + 2, this.#at + 1);
      else this.#at += this.#sees("\\") ? 2 : 1;
    }
    return oneOrTwo;
  }

  #escape(): Width {
    const letter = this.#source[this.#at++] ?? "";
    if ("bBAz".includes(letter)) return none;
    const rest = this.#source.slice(this.#at);
    const more = {
      u: /^(?:\{[^}]*\}|[\dA-Fa-f]{4})/,
      x: /^(?:\{[^}]*\}|[\dA-Fa-f]{2})/,
      p: braces,
      P: braces,
      c: /^[A-Za-z]/,
    };
    const skipped = more[letter as keyof typeof more]?.exec(rest);
    this.#at += skipped?.[0].length ?? 0;
    return "dwsftnrv".includes(letter) && letter !== "" ? unit : oneOrTwo;
  }

  #quantifier(): [number, number] {
    const found = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/.exec(this.#source.slice(this.#at, this.#at + 32));
    if (found === null) return [1, 1];
    this.#at += found[0].length;
    const [, sign, least, comma, most] = found;
    if (sign !== undefined) return [sign === "+" ? 1 : 0, sign === "?" ? 1 : Number.POSITIVE_INFINITY];
    const min = Number(least);
    if (comma === undefined) return [min, min];
    return [min, most === undefined || most === "" ? Number.POSITIVE_INFINITY : Number(most)];
  }

  #sees(character: string): boolean {
    return this.#source[this.#at] === character;
  }

  #skip(character: string): boolean {
    if (!this.#sees(character)) return false;
    this.#at++;
    return true;
  }
}

const braces = /^(?:\{[^}]*\}|[A-Z])/;
