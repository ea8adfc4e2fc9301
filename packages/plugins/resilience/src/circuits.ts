/** The rules of all circuits. Times are milliseconds. */
interface Rules {
  readonly failures: number;
  readonly of: number;
  readonly openFor: number;
  readonly maxKeys: number;
}

/** The circuit of one key, of which something has failed lately. One that is open, or half open, has `openUntil`. */
interface Circuit {
  /** Whether each of the last calls ended well, oldest first. */
  last: boolean[];
  openUntil: number | undefined;
  /** The time until which a call that tries is waited for; then another one may. */
  probeUntil: number;
}

/** The answer to a call: it may pass, it is the one that tries, or it is refused for so long. */
type Entry = "closed" | "half_open" | { readonly retryAfter: number };

/** The circuits of all keys, in memory. One of which nothing has failed lately is not kept. */
export class Circuits {
  readonly #rules: Rules;
  /** The one used longest ago first. */
  readonly #circuits = new Map<string, Circuit>();

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  /** Asks for a call to be let through. Whoever is told `closed` or `half_open` calls `leave` when it is over. */
  enter(key: string): Entry {
    const circuit = this.#circuits.get(key);
    if (circuit?.openUntil === undefined) return "closed";
    const now = Date.now();
    const until = Math.max(circuit.openUntil, circuit.probeUntil);
    if (now < until) return { retryAfter: until - now };
    circuit.probeUntil = now + this.#rules.openFor;
    return "half_open";
  }

  /**
   * Takes note of how a call ended.
   *
   * @param well undefined where it says nothing about the model: it was aborted, say.
   * @returns what became of the circuit by it.
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
    circuit.openUntil = Date.now() + this.#rules.openFor;
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
    circuit.openUntil = Date.now() + openFor;
    return "open";
  }
}
