import type { Delta, Emit, Part, Reply, Stage } from "@suite/core";
import type { ArgumentsDelta, EventDelta, PartDelta } from "@suite/core/messages";
import { PartOrder, type PartSlot } from "@suite/core/parts";
import { JsonStream } from "../redact/stream/json-stream.js";
import { SchemaPath } from "../redact/stream/schema-path.js";
import { Tally } from "../redact/tally.js";
import type { TokenView } from "../tokens/session-tokens.js";
import { ArgumentsFlow, type Flow, GuardedStream, TextFlow } from "./flows.js";
import type { At, Guard } from "./guard.js";
import { treatPart, withoutFoundNative } from "./parts.js";
import { ReasoningFlow } from "./reasoning-flow.js";
import { type Treat, treatWith } from "./treat.js";

/** The places of a model's answer that are treated. */
export interface OutputPlaces {
  readonly output: boolean;
  readonly toolArguments: boolean;
  /** The text is JSON of this schema. */
  readonly outputSchema?: unknown;
}

/**
 * Treats one streamed answer of a model. As little text as possible is held back for matches that may continue. The
 * finish delta is emitted last, after the text that was held back.
 */
export class OutputStage implements Stage<Delta, Reply> {
  readonly #guard: Guard;
  readonly #output: At;
  readonly #arguments: At;
  readonly #places: OutputPlaces;
  readonly #tokens: TokenView | undefined;
  readonly #order = new PartOrder<Flow>((delta, slot, emit) => this.#treatDelta(delta, slot, emit));
  /** The texts of all parts with their places, for the findings in them. */
  readonly #flows: (readonly [flow: Flow, at: At])[] = [];
  /** The names of the model's tool calls. Other arguments, as of a provider's tools, are part of its output. */
  readonly #calls = new Set<string>();
  #reported = false;

  constructor(guard: Guard, at: Omit<At, "place">, places: OutputPlaces, tokens?: TokenView) {
    this.#guard = guard;
    this.#places = places;
    this.#tokens = tokens;
    this.#output = { place: "output", ...at };
    this.#arguments = { place: "tool_arguments", ...at };
  }

  chunk(delta: Delta, emit: Emit<Delta>): void {
    this.#order.accept(delta, emit);
  }

  flush(emit: Emit<Delta>): void {
    this.#order.end(emit, () => this.#report());
  }

  settle(): void {
    if (!this.#reported) this.#report();
  }

  #treatDelta(delta: Delta, slot: PartSlot<Flow>, emit: Emit<Delta>): void {
    if (delta.type === "event") this.#event(delta, emit);
    else if (delta.type === "arguments") this.#json(delta, slot, emit);
    else if (delta.type === "part") this.#part(delta, slot, emit);
    else emit(delta);
  }

  #part(original: PartDelta, slot: PartSlot<Flow>, emit: Emit<Delta>): void {
    const { at } = original;
    const isCall = original.part.type === "tool_call";
    if (isCall) this.#calls.add(at);
    if (!(isCall ? this.#places.toolArguments : this.#places.output)) {
      emit(original);
      return;
    }
    const delta = this.#piece(original);
    const { part } = delta;
    if (part.type === "text") {
      const flow = this.#flow(slot, "text", this.#output, () => new TextFlow(at, this.#saidStream()));
      flow.push({ content: part.content, delta }, emit);
    } else if (part.type === "reasoning") {
      const flow = this.#flow(slot, "reasoning", this.#output, () => new ReasoningFlow(at, () => this.#textStream()));
      const { content, signature } = part;
      flow.push({ content, signature, delta }, emit);
    } else {
      const place = isCall ? this.#arguments : this.#output;
      const treated = this.#guard.treat<Part | undefined>(place, part, (tally) => treatPart(part, this.#treat(tally)));
      if (treated !== undefined) emit(treated === part ? delta : { ...delta, part: treated });
    }
  }

  #flow(slot: PartSlot<Flow>, kind: string, at: At, make: () => Flow): Flow {
    return slot.text(kind, () => {
      const flow = make();
      this.#flows.push([flow, at]);
      return flow;
    });
  }

  /** Returns a text delta without its native form, if that contains more than may be emitted. */
  #piece(delta: PartDelta): PartDelta {
    const { part } = delta;
    if ((part.type !== "text" && part.type !== "reasoning") || part.native === undefined) return delta;
    const bare = this.#guard.treat<Part>(this.#output, part, (tally) => withoutFoundNative(part, this.#treat(tally)));
    return bare === part ? delta : { ...delta, part: bare };
  }

  #json(delta: ArgumentsDelta, slot: PartSlot<Flow>, emit: Emit<Delta>): void {
    const { at, json } = delta;
    const { output, toolArguments } = this.#places;
    const isCall = this.#calls.has(at) || !output;
    if (!(isCall ? toolArguments : output)) {
      emit(delta);
      return;
    }
    const place = isCall ? this.#arguments : this.#output;
    const flow = this.#flow(slot, "arguments", place, () => new ArgumentsFlow(at, this.#jsonStream(place)));
    flow.push({ content: json, delta }, emit);
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

  /** Creates the stream for text, or for JSON if there is an output schema. */
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

  /** Reports the findings in streamed text once. Blocked values were already reported. */
  #report(): void {
    this.#reported = true;
    for (const at of [this.#output, this.#arguments]) {
      const tally = new Tally();
      for (const [flow, place] of this.#flows) {
        if (place === at) tally.merge(flow.tally);
      }
      if (tally.blocked.length === 0 || !this.#guard.enforced) this.#guard.decide(at, tally);
    }
  }
}
