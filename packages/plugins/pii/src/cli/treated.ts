import { blocked } from "../errors.js";
import type { Engine } from "../redact/engine.js";
import { Position } from "../redact/place.js";
import { Session, type Sink } from "../scan/session.js";
import type { Findings, Place } from "./findings.js";

/** The position at which a text begins. */
export interface Beginning extends Omit<Place, "path"> {
  /** Returns the path to the field in JSON. Called only if there is a finding. */
  readonly path?: () => string;
}

/** One text on its way through, with its place in the file. */
export class TreatedText {
  readonly #session: Session;
  readonly #position: Position;
  #out = "";

  /** @param before The name of the field before the text. */
  constructor(engine: Engine, findings: Findings, beginning: Beginning, before?: string) {
    const { file, path, line, column } = beginning;
    this.#position = new Position({ line, column });
    const place = (): Place => {
      const at = this.#position;
      return { file, line: at.line, column: at.column, ...(path && { path: path() }) };
    };
    // Line breaks inside a JSON string are not line breaks of the file.
    const moves = path === undefined;
    const pass = (read: string, written: string): void => {
      if (moves) this.#position.read(read);
      this.#out += written;
    };
    const sink: Sink = {
      plain: (text) => pass(text, text),
      found: ({ rule, start, end, score, silent }, value) => {
        if (silent) return pass(value, "");
        findings.add(rule, value, place);
        if (rule.blocks && !findings.listening) throw blocked([rule.type], [], place());
        pass(value, rule.blocks ? "" : rule.replace({ type: rule.type, start, end, score, value }));
      },
    };
    this.#session = new Session(engine.plan, sink, before);
  }

  /** The text that is decided by now. */
  push(chunk: string): string {
    this.#session.push(chunk);
    return this.#takeOutput();
  }

  end(): string {
    this.#session.end();
    return this.#takeOutput();
  }

  #takeOutput(): string {
    const out = this.#out;
    this.#out = "";
    return out;
  }
}
