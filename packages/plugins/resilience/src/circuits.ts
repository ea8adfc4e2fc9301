/** The rules of all circuits. Times are in milliseconds. */
interface Rules {
  readonly failures: number;
  readonly of: number;
  readonly openFor: number;
  readonly maxKeys: number;
}

/**
 * The circuit of a key with recent failures. It is open or half open if `openUntil` is set. Uses the monotonic clock,
 * because a wall clock that is set back would keep the circuit open for longer.
 */
interface Circuit {
  /** The outcomes of the last calls, oldest first. True means success. */
  last: boolean[];
  openUntil: number | undefined;
  /** The time after which another call may probe, if the current probe has not ended. */
  probeUntil: number;
}

/** The decision on a call: it passes, it is the probe, or it is refused for `retryAfter`. */
type Entry = "closed" | "half_open" | { readonly retryAfter: number };

/** The circuits of all keys, in memory. A circuit without recent failures is not kept. */
export class Circuits {
  readonly #rules: Rules;
  /** Ordered by last use, oldest first. */
  readonly #circuits = new Map<string, Circuit>();

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  /** Admits or refuses a call. The caller must call `leave` after an admitted call. */
  enter(key: string): Entry {
    const circuit = this.#circuits.get(key);
    if (circuit?.openUntil === undefined) return "closed";
    const now = performance.now();
    const until = Math.max(circuit.openUntil, circuit.probeUntil);
    if (now < until) return { retryAfter: Math.ceil(until - now) };
    circuit.probeUntil = now + this.#rules.openFor;
    return "half_open";
  }

  /**
   * Records the outcome of a call.
   *
   * @param well undefined if the outcome does not depend on the model, for example after an abort
   * @returns the change of the circuit, or `undefined`
   */
  leave(key: string, well: boolean | undefined, isProbe: boolean): "open" | "closed" | undefined {
    const circuit = this.#circuits.get(key);
    if (isProbe && circuit !== undefined) circuit.probeUntil = 0;
    if (well === undefined || (well && circuit === undefined)) return undefined;
    if (circuit?.openUntil === undefined) return this.#count(key, circuit, well);
    if (!isProbe) return undefined; // it began before the circuit opened
    if (well) {
      this.#circuits.delete(key);
      return "closed";
    }
    circuit.openUntil = performance.now() + this.#rules.openFor;
    return "open";
  }

  #count(key: string, known: Circuit | undefined, well: boolean): "open" | undefined {
    const { failures, of, openFor, maxKeys } = this.#rules;
    const circuit = known ?? { last: [], openUntil: undefined, probeUntil: 0 };
    circuit.last.push(well);
    if (circuit.last.length > of) circuit.last.shift();
    const failed = circuit.last.filter((each) => !each).length;
    this.#circuits.delete(key);
    if (failed === 0) return undefined;
    this.#circuits.set(key, circuit);
    for (const oldest of this.#circuits.keys()) {
      if (this.#circuits.size <= maxKeys) break;
      this.#circuits.delete(oldest);
    }
    if (failed < failures) return undefined;
    circuit.openUntil = performance.now() + openFor;
    return "open";
  }
}
