import type { CallId, RuntimeContext } from "@suite/core";
import { MemoryError } from "./errors.js";
import type { Exchange } from "./exchange.js";
import { inTime } from "./in-time.js";
import type { Operations } from "./operations.js";
import type { Settled } from "./plugin-options.js";
import type { MemoryScope } from "./store.js";

/** The owner of stored records, the parent call, and the time since which the user is remembered. */
interface WriteContext {
  readonly scope: MemoryScope;
  readonly parent: CallId;
  readonly since: number;
}

/** The time limit of the user's `remember` function in milliseconds. It may ask a model. */
const mostOfRemember = 60_000;

/** Stores exchanges in background runs, so that no caller waits. */
export class Writing {
  readonly #options: Settled;
  readonly #operations: Operations;
  /** The running writes, with their users. */
  readonly #open = new Map<Promise<void>, string>();

  constructor(options: Settled, operations: Operations) {
    this.#options = options;
    this.#operations = operations;
  }

  /** Starts to store an exchange. A failure is reported, and only that background run fails. */
  begin(runtime: RuntimeContext, context: WriteContext, exchange: Exchange): void {
    const work = runtime
      .background((background) => this.#write(background, context, exchange))
      .finally(() => this.#open.delete(work));
    this.#open.set(work, context.scope.user);
  }

  /** Resolves when all writes have ended, or all writes of one user. */
  async settled(user?: string): Promise<void> {
    await Promise.all([...this.#open].flatMap(([work, of]) => (user === undefined || of === user ? work : [])));
  }

  async #write(background: RuntimeContext, { scope, parent, since }: WriteContext, exchange: Exchange): Promise<void> {
    const { name, remember } = this.#options;
    const notify = (decision: string, records: number): void =>
      background.notify({
        type: "decision",
        plugin: name,
        decision,
        enforced: true,
        call: parent,
        details: { records },
      });
    try {
      const texts = textsOf(await inTime(mostOfRemember, background.signal, () => remember(exchange, background)));
      const added = texts.length === 0 ? 0 : await this.#operations.add(background, scope, texts, { parent, since });
      notify(added === 0 ? "not_remembered" : "remembered", added);
    } catch (error) {
      notify("write_failed", 0);
      throw error;
    }
  }
}

/** @throws {MemoryError} `ERR_MEMORY_ANSWER` */
function textsOf(value: unknown): readonly string[] {
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) {
    return value.filter((each) => each.trim() !== "");
  }
  throw new MemoryError("ERR_MEMORY_ANSWER", "The function remember of memory() must return a list of strings.");
}
