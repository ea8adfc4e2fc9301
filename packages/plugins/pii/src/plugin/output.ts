import type { ArgumentsDelta, Delta, Emit, EventDelta, Part, PartDelta, Reply, Stage } from "@suite/core";
import { Tally } from "../redactor/tally.js";
import { JsonStream } from "../stream/json-stream.js";
import { ArgumentsFlow, type Flow, TextFlow } from "./flows.js";
import type { At, Guard } from "./guard.js";
import { GuardedStream } from "./guarded-stream.js";
import { treatWith } from "./input.js";
import { treatPart } from "./parts.js";
import { ReasoningFlow } from "./reasoning-flow.js";

/** Which of the model's answer is treated. */
export interface OutputPlaces {
  readonly output: boolean;
  readonly toolArguments: boolean;
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
  readonly #flows = new Map<string, Flow>();
  readonly #finish: Delta[] = [];
  #told = false;

  constructor(guard: Guard, at: Omit<At, "place">, places: OutputPlaces) {
    this.#guard = guard;
    this.#places = places;
    this.#output = { ...at, place: "output" };
    this.#arguments = { ...at, place: "tool_arguments" };
  }

  chunk(delta: Delta, emit: Emit<Delta>): void {
    if (delta.type === "finish") this.#finish.push(delta);
    else if (delta.type === "event") this.#event(delta, emit);
    else if (delta.type === "arguments") this.#json(delta, emit);
    else this.#part(delta, emit);
  }

  flush(emit: Emit<Delta>): void {
    for (const flow of this.#flows.values()) flow.end((out) => this.#emit(out, emit, flow));
    this.#tell();
    for (const delta of this.#finish) emit(delta);
  }

  settle(): void {
    if (!this.#told) this.#tell();
  }

  #part(delta: PartDelta, emit: Emit<Delta>): void {
    const { part, at } = delta;
    const isCall = part.type === "tool_call";
    if (!(isCall ? this.#places.toolArguments : this.#places.output)) {
      this.#emit(delta, emit);
    } else if (part.type === "text") {
      const flow = this.#flow(`text ${at}`, () => new TextFlow(at, this.#textStream()));
      flow.push({ content: part.content, delta }, (out) => this.#emit(out, emit, flow));
    } else if (part.type === "reasoning") {
      const flow = this.#flow(`reasoning ${at}`, () => new ReasoningFlow(at, () => this.#textStream()));
      const { content, signature } = part;
      flow.push({ content, signature, delta }, (out) => this.#emit(out, emit, flow));
    } else {
      const treated = this.#guard.treat<Part | undefined>(isCall ? this.#arguments : this.#output, part, (tally) =>
        treatPart(part, treatWith(this.#guard.engine, tally)),
      );
      if (treated !== undefined) this.#emit(treated === part ? delta : { ...delta, part: treated }, emit);
    }
  }

  #json(delta: ArgumentsDelta, emit: Emit<Delta>): void {
    if (!this.#places.toolArguments) {
      this.#emit(delta, emit);
      return;
    }
    const flow = this.#flow(`arguments ${delta.at}`, () => new ArgumentsFlow(delta.at, this.#jsonStream()));
    flow.push({ content: delta.json, delta }, (out) => this.#emit(out, emit, flow));
  }

  #event(delta: EventDelta, emit: Emit<Delta>): void {
    if (!this.#places.output) {
      emit(delta);
      return;
    }
    const { engine } = this.#guard;
    const value = this.#guard.treat(this.#output, delta.value, (tally) => treatWith(engine, tally).value(delta.value));
    emit(Object.is(value, delta.value) ? delta : { ...delta, value });
  }

  /** Parts stand in order of first appearance: one that is still held back appears, empty, before a later one. */
  #emit(delta: Delta, emit: Emit<Delta>, by?: Flow): void {
    for (const flow of this.#flows.values()) {
      if (flow === by) break;
      flow.appear(emit);
    }
    emit(delta);
  }

  #flow(key: string, make: () => Flow): Flow {
    let flow = this.#flows.get(key);
    if (flow === undefined) {
      flow = make();
      this.#flows.set(key, flow);
    }
    return flow;
  }

  #textStream(): GuardedStream {
    const tally = new Tally();
    return new GuardedStream(this.#guard.engine.stream({ onBlock: "redact", tally }), tally, this.#guard, this.#output);
  }

  #jsonStream(): GuardedStream {
    const tally = new Tally();
    const json = new JsonStream(() => this.#guard.engine.stream({ onBlock: "redact", tally }));
    return new GuardedStream(json, tally, this.#guard, this.#arguments);
  }

  /** Tells what was found in texts that came in pieces, once; what blocked was told then. */
  #tell(): void {
    this.#told = true;
    for (const at of [this.#output, this.#arguments]) {
      const tally = new Tally();
      for (const flow of this.#flows.values()) {
        if (flow instanceof ArgumentsFlow === (at === this.#arguments)) tally.merge(flow.tally);
      }
      if (tally.blocked.length === 0 || !this.#guard.enforced) this.#guard.decide(at, tally);
    }
  }
}
