import type { Engine } from "../redactor/engine.js";
import { Session, type Sink } from "../scan/session.js";
import type { Findings, Place } from "./findings.js";

/** One text on its way through, with the number of the line that it is in. */
export class TreatedText {
  readonly #session: Session;
  #out = "";
  #line: number;
  /** Line breaks inside a string of JSON are none of the file. */
  readonly #counts: boolean;

  /** @param before what stands before the text: the name of its field. */
  constructor(engine: Engine, findings: Findings, { file, line, path }: Place, before?: string) {
    this.#line = line;
    this.#counts = path === undefined;
    const sink: Sink = {
      plain: (text) => this.#pass(text, text),
      found: ({ rule, start, end, score, silent }, value) => {
        if (silent) return this.#pass(value, "");
        findings.add(rule.type, { file, line: this.#line, path });
        this.#pass(value, rule.replace({ type: rule.type, start, end, score, value }));
      },
    };
    this.#session = new Session(engine.plan, sink, before);
  }

  /** What is decided by now. */
  push(chunk: string): string {
    this.#session.push(chunk);
    return this.#taken();
  }

  end(): string {
    this.#session.end();
    return this.#taken();
  }

  #pass(read: string, written: string): void {
    if (this.#counts) for (let at = read.indexOf("\n"); at >= 0; at = read.indexOf("\n", at + 1)) this.#line++;
    this.#out += written;
  }

  #taken(): string {
    const out = this.#out;
    this.#out = "";
    return out;
  }
}
