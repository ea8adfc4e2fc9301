import type { Delta, Emit } from "@suite/core";
import type { Flow } from "./flows.js";

/**
 * The parts of one answer that come in pieces. Parts stand in order of first appearance: one that is still held back
 * appears, empty, before a later one. The finish mark goes last, after what was held.
 */
export class OrderedFlows {
  readonly #flows = new Map<string, Flow>();
  readonly #finish: Delta[] = [];

  /** The flow under this key, made when it is first asked for. */
  of<F extends Flow>(key: string, make: () => F): Flow {
    let flow = this.#flows.get(key);
    if (flow === undefined) {
      flow = make();
      this.#flows.set(key, flow);
    }
    return flow;
  }

  all(): IterableIterator<Flow> {
    return this.#flows.values();
  }

  /** @param by the flow that a piece came out of. */
  emit(delta: Delta, emit: Emit<Delta>, by?: Flow): void {
    for (const flow of this.#flows.values()) {
      if (flow === by) break;
      flow.appear(emit);
    }
    emit(delta);
  }

  finish(delta: Delta): void {
    this.#finish.push(delta);
  }

  /** No piece comes any more: what was held goes out. */
  end(emit: Emit<Delta>): void {
    for (const flow of this.#flows.values()) flow.end((out) => this.emit(out, emit, flow));
  }

  /** After `end`. */
  close(emit: Emit<Delta>): void {
    for (const delta of this.#finish) emit(delta);
  }
}
