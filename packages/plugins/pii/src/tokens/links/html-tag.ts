import { isLetter, isSpace } from "./units.js";

const quote = { double: 34, single: 39 };
const hyphen = 45;
const slash = 47;
const colon = 58;
const angle = { open: 60, close: 62 };
const equals = 61;

const isNameUnit = (code: number): boolean =>
  isLetter(code) || (code >= 48 && code <= 57) || code === hyphen || code === colon;

/**
 * The position in a tag: name, between attributes, after `=`, in an unquoted value, or (a number) in a value with these
 * quotes.
 */
type State = "name" | "between" | "before value" | "bare value" | number;

/** Tracks if the text read so far ends inside an HTML tag or an attribute value. */
export class HtmlTag {
  #state: State | undefined;

  constructor(from?: HtmlTag) {
    if (from !== undefined) this.#state = from.#state;
  }

  get open(): boolean {
    return this.#state !== undefined;
  }

  get inValue(): boolean {
    return this.#state !== undefined && this.#state !== "name" && this.#state !== "between";
  }

  /** Reads the unit at `at`. The text before it must have been read. */
  read(text: string, at: number): void {
    this.#state = next(this.#state, text.charCodeAt(at), text.charCodeAt(at - 1));
  }
}

function next(state: State | undefined, code: number, before: number): State | undefined {
  if (typeof state === "number") return code === state ? "between" : state;
  if (state !== undefined && code === angle.close) return undefined;
  switch (state) {
    case undefined:
      return code === angle.open ? "name" : undefined;
    case "name":
      if (before === angle.open) return isLetter(code) ? "name" : begun(code);
      if (isNameUnit(code)) return "name";
      return isSpace(code) || code === slash ? "between" : begun(code);
    case "between":
      return code === equals ? "before value" : "between";
    case "before value":
      if (isSpace(code)) return "before value";
      return code === quote.double || code === quote.single ? code : "bare value";
    case "bare value":
      return isSpace(code) ? "between" : "bare value";
  }
}

/** Returns the state after text that is not a tag. A tag may begin there. */
const begun = (code: number): State | undefined => (code === angle.open ? "name" : undefined);
