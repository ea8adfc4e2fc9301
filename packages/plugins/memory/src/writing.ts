import type { CallId, RuntimeContext } from "@suite/core";
import { MemoryError } from "./errors.js";
import type { Exchange } from "./exchange.js";
import { inTime } from "./in-time.js";
import type { Operations } from "./operations.js";
import type { Settled } from "./plugin-options.js";
import type { MemoryScope } from "./store.js";

/** The place of what is kept: whose it is, below which call, and since when that user is to be remembered. */
interface Place {
  readonly scope: MemoryScope;
  readonly parent: CallId;
  readonly since: number;
}

/** Milliseconds that a function of the user's has to say what is kept: it may ask a model. */
const mostOfRemember = 60_000;

/** Keeps what was said, each reply in a run of its own, so that no caller waits for it. */
export class Writing {
  readonly #options: Settled;
  readonly #operations: Operations;
  /** The work that is not over, and whose memories it is about. */
  readonly #open = new Map<Promise<void>, string>();

  constructor(options: Settled, operations: Operations) {
    this.#options = options;
    this.#operations = operations;
  }

  /** Begins to keep an exchange. What fails is told, and fails that run alone. */
  begin(runtime: RuntimeContext, place: Place, exchange: Exchange): void {
    const work = runtime.background((own) => this.#write(own, place, exchange)).finally(() => this.#open.delete(work));
    this.#open.set(work, place.scope.user);
  }

  /** Resolves when all of it is over, or all that is about a user. */
  async settled(user?: string): Promise<void> {
    await Promise.all([...this.#open].flatMap(([work, of]) => (user === undefined || of === user ? work : [])));
  }

  async #write(own: RuntimeContext, { scope, parent, since }: Place, exchange: Exchange): Promise<void> {
    const { name, remember } = this.#options;
    const tell = (decision: string, records: number): void =>
      own.notify({ type: "decision", plugin: name, decision, enforced: true, call: parent, details: { records } });
    try {
      const texts = textsOf(await inTime(mostOfRemember, own.signal, () => remember(exchange, own)));
      const kept = texts.length === 0 ? 0 : await this.#operations.add(own, scope, texts, { parent, since });
      tell(kept === 0 ? "not_remembered" : "remembered", kept);
    } catch (error) {
      tell("write_failed", 0);
      throw error;
    }
  }
}

/** @throws {MemoryError} `ERR_MEMORY_ANSWER` */
function textsOf(given: unknown): readonly string[] {
  if (Array.isArray(given) && given.every((each) => typeof each === "string")) {
    return given.filter((each) => each.trim() !== "");
  }
  throw new MemoryError("ERR_MEMORY_ANSWER", "The function remember of memory() gives a list of texts.");
}
