import type { ArgumentsDelta, Delta, Emit, EventDelta, Part, PartDelta, Reply, Stage } from "@suite/core";
import { Tally } from "../redactor/tally.js";
import { JsonStream } from "../stream/json-stream.js";
import { SchemaPath } from "../stream/schema-path.js";
import type { TokenView } from "../vault/session-tokens.js";
import { ArgumentsFlow, TextFlow } from "./flows.js";
import type { At, Guard } from "./guard.js";
import { GuardedStream } from "./guarded-stream.js";
import { OrderedFlows } from "./ordered-flows.js";
import { treatPart, withoutFoundNative } from "./parts.js";
import { ReasoningFlow } from "./reasoning-flow.js";
import { type Treat, treatWith } from "./treat.js";

/** Which of the model's answer is treated. */
export interface OutputPlaces {
  readonly output: boolean;
  readonly toolArguments: boolean;
  /** The text is JSON of this schema. */
  readonly outputSchema?: unknown;
}

/**
 * One answer of a model on its way out. Texts that come in pieces are held back by as little as could still become a
 * match; the finish mark goes last, after what was held.
 */
export class OutputStage implements Stage<Delta, Reply> {
  readonly #guard: Guard;
  readonly #output: At;
  readonly #arguments: At;
  readonly #places: OutputPlaces;
  readonly #tokens: TokenView | undefined;
  readonly #flows = new OrderedFlows();
  #told = false;

  constructor(guard: Guard, at: Omit<At, "place">, places: OutputPlaces, tokens?: TokenView) {
    this.#guard = guard;
    this.#places = places;
    this.#tokens = tokens;
    this.#output = { ...at, place: "output" };
    this.#arguments = { ...at, place: "tool_arguments" };
  }

  chunk(delta: Delta, emit: Emit<Delta>): void {
    if (delta.type === "finish") this.#flows.finish(delta);
    else if (delta.type === "event") this.#event(delta, emit);
    else if (delta.type === "arguments") this.#json(delta, emit);
    else if (delta.type === "part") this.#part(delta, emit);
  }

  flush(emit: Emit<Delta>): void {
    this.#flows.end(emit);
    this.#tell();
    this.#flows.close(emit);
  }

  settle(): void {
    if (!this.#told) this.#tell();
  }

  #part(given: PartDelta, emit: Emit<Delta>): void {
    const { at } = given;
    const isCall = given.part.type === "tool_call";
    const flows = this.#flows;
    if (!(isCall ? this.#places.toolArguments : this.#places.output)) {
      flows.emit(given, emit);
      return;
    }
    const delta = this.#piece(given);
    const { part } = delta;
    if (part.type === "text") {
      const flow = flows.of(`text ${at}`, () => new TextFlow(at, this.#saidStream()));
      flow.push({ content: part.content, delta }, (out) => flows.emit(out, emit, flow));
    } else if (part.type === "reasoning") {
      const flow = flows.of(`reasoning ${at}`, () => new ReasoningFlow(at, () => this.#textStream()));
      const { content, signature } = part;
      flow.push({ content, signature, delta }, (out) => flows.emit(out, emit, flow));
    } else {
      const place = isCall ? this.#arguments : this.#output;
      const treated = this.#guard.treat<Part | undefined>(place, part, (tally) => treatPart(part, this.#treat(tally)));
      if (treated !== undefined) flows.emit(treated === part ? delta : { ...delta, part: treated }, emit);
    }
  }

  /** A piece of text without its native form, where that holds more than may be given out. */
  #piece(delta: PartDelta): PartDelta {
    const { part } = delta;
    if ((part.type !== "text" && part.type !== "reasoning") || part.native === undefined) return delta;
    const bare = this.#guard.treat<Part>(this.#output, part, (tally) => withoutFoundNative(part, this.#treat(tally)));
    return bare === part ? delta : { ...delta, part: bare };
  }

  #json(delta: ArgumentsDelta, emit: Emit<Delta>): void {
    const flows = this.#flows;
    if (!this.#places.toolArguments) {
      flows.emit(delta, emit);
      return;
    }
    const flow = flows.of(
      `arguments ${delta.at}`,
      () => new ArgumentsFlow(delta.at, this.#jsonStream(this.#arguments)),
    );
    flow.push({ content: delta.json, delta }, (out) => flows.emit(out, emit, flow));
  }

  #event(delta: EventDelta, emit: Emit<Delta>): void {
    if (!this.#places.output) {
      emit(delta);
      return;
    }
    const value = this.#guard.treat(this.#output, delta.value, (tally) => this.#treat(tally).value(delta.value));
    emit(Object.is(value, delta.value) ? delta : { ...delta, value });
  }

  #treat(tally: Tally): Treat {
    return treatWith(this.#guard, tally, this.#tokens);
  }

  /** Text; JSON where there is a schema for it. */
  #saidStream(): GuardedStream {
    const { outputSchema } = this.#places;
    return outputSchema === undefined
      ? this.#textStream()
      : this.#jsonStream(this.#output, new SchemaPath(outputSchema));
  }

  #textStream(): GuardedStream {
    const tally = new Tally();
    return new GuardedStream(this.#open(tally), tally, this.#guard, this.#output);
  }

  #jsonStream(at: At, path?: SchemaPath): GuardedStream {
    const tally = new Tally();
    const stream = new JsonStream((before) => this.#open(tally, before), path);
    return new GuardedStream(stream, tally, this.#guard, at);
  }

  #open(tally: Tally, before?: string) {
    return this.#guard.engine.stream({ onBlock: "redact", tally, tokens: this.#tokens }, before);
  }

  /** Tells what was found in texts that came in pieces, once; what blocked was told then. */
  #tell(): void {
    this.#told = true;
    for (const at of [this.#output, this.#arguments]) {
      const tally = new Tally();
      for (const flow of this.#flows.all()) {
        if (flow instanceof ArgumentsFlow === (at === this.#arguments)) tally.merge(flow.tally);
      }
      if (tally.blocked.length === 0 || !this.#guard.enforced) this.#guard.decide(at, tally);
    }
  }
}
