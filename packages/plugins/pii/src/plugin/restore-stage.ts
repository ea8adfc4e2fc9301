import type { ArgumentsDelta, Delta, Emit, PartDelta, Reply, Settlement, Stage } from "@suite/core";
import { Tally } from "../redactor/tally.js";
import { treatValue } from "../redactor/value.js";
import type { LinkContext } from "../restore/link-context.js";
import { RestoreStream, restoreText } from "../restore/restore-stream.js";
import type { TokenReader } from "../restore/token-reader.js";
import { JsonStream } from "../stream/json-stream.js";
import { ArgumentsFlow, type FlowStream, TextFlow } from "./flows.js";
import { OrderedFlows } from "./ordered-flows.js";
import { treatPart } from "./parts.js";
import type { RunTokens } from "./run-tokens.js";

/** Nothing is found here: values go back. */
const nothing = new Tally();

/** Puts values back into an answer on its way to whom they belong to: into its text, and the arguments of tools that may see them. */
export class RestoreStage implements Stage<Delta, Reply> {
  readonly #own: RunTokens;
  readonly #reader: TokenReader;
  readonly #flows = new OrderedFlows();
  readonly #texts = new Map<string, TextFlow>();
  /** The calls whose arguments are put back. */
  readonly #calls = new Set<string>();
  readonly #seen = new Set<string>();
  /** Texts are read one behind the other: a link may begin in one and end in the next. */
  #context: LinkContext | undefined;

  constructor(own: RunTokens, reader: TokenReader) {
    this.#own = own;
    this.#reader = reader;
  }

  chunk(delta: Delta, emit: Emit<Delta>): void {
    if (delta.type === "finish") this.#flows.finish(delta);
    else if (delta.type === "event") emit(delta);
    else if (delta.type === "arguments") this.#json(delta, emit);
    else if (delta.type === "part") this.#part(delta, emit);
  }

  flush(emit: Emit<Delta>): void {
    this.#flows.end(emit);
    this.#flows.close(emit);
  }

  settle({ status }: Settlement<Reply>): void {
    if (status === "suspended") this.#own.suspended = true;
  }

  #part(delta: PartDelta, emit: Emit<Delta>): void {
    const { part, at } = delta;
    if (!this.#seen.has(at)) this.#begin(at, emit);
    if (part.type === "text" && this.#own.restoresText) {
      const flow = this.#flows.of(`text ${at}`, () => this.#textFlow(at));
      flow.push({ content: part.content, delta }, (out) => this.#flows.emit(out, emit, flow));
    } else if (part.type === "tool_call" && this.#own.mayTell(part.name)) {
      this.#calls.add(at);
      const text = (written: string): string => restoreText(written, this.#reader, this.#own.find);
      const restored = treatPart(part, {
        text,
        said: text,
        value: (value) => treatValue(value, text),
        passes: () => true,
      });
      this.#flows.emit(restored === part ? delta : { ...delta, part: restored ?? part }, emit);
    } else this.#flows.emit(delta, emit);
  }

  /** Where a part begins, those before it have ended: what was held of their text must not come behind it. */
  #begin(at: string, emit: Emit<Delta>): void {
    this.#seen.add(at);
    for (const flow of this.#texts.values()) flow.end((out) => this.#flows.emit(out, emit, flow));
  }

  #json(delta: ArgumentsDelta, emit: Emit<Delta>): void {
    const flows = this.#flows;
    if (!this.#calls.has(delta.at)) {
      flows.emit(delta, emit);
      return;
    }
    const flow = flows.of(`arguments ${delta.at}`, () => new ArgumentsFlow(delta.at, flowing(this.#jsonStream())));
    flow.push({ content: delta.json, delta }, (out) => flows.emit(out, emit, flow));
  }

  #textFlow(at: string): TextFlow {
    const stream = new RestoreStream(this.#reader, this.#own.find, this.#context);
    this.#context = stream.context;
    const flow = new TextFlow(at, flowing(this.#own.json ? this.#jsonStream() : stream));
    this.#texts.set(at, flow);
    return flow;
  }

  #jsonStream(): JsonStream {
    return new JsonStream(() => new RestoreStream(this.#reader, this.#own.find));
  }
}

const flowing = (stream: RestoreStream | JsonStream): FlowStream => ({
  tally: nothing,
  push: (chunk) => stream.push(chunk),
  end: () => stream.end(),
});
