import { type CallId, type Redactor, type RuntimeContext, redactorOf, signalOf } from "@suite/core";
import type { MemoryRecord, MemoryRequest } from "@suite/core/contract";
import { isObject } from "@suite/kit";
import { MemoryError } from "./errors.js";
import { inTime } from "./in-time.js";
import type { MemoryScope, MemoryStore } from "./store.js";
import { shortened } from "./text.js";

/** The maximum number of characters of a query. Longer queries are cut. */
const mostOfQuery = 4000;

/**
 * Runs the operations of a store as calls through a run's `memory` layers. The run's redactors treat strings before the
 * call, and results after it, whatever the order of plugins.
 */
export class Operations {
  readonly #store: MemoryStore;
  readonly #timeout: number;

  constructor(store: MemoryStore, timeout: number) {
    this.#store = store;
    this.#timeout = timeout;
  }

  async search(
    runtime: RuntimeContext,
    scope: MemoryScope,
    query: string,
    limit: number,
    parent: CallId,
  ): Promise<readonly MemoryRecord[]> {
    const store = this.#store;
    const redactor = redactorOf(runtime);
    const clean = shortened(redacted(redactor, query), mostOfQuery);
    const { records = [] } = await runtime.memory(
      { operation: "search_memory", ...this.#storeFields, query: clean, limit },
      async (request, call) => {
        const { query = "", limit: most = limit } = request;
        const found = await this.#call(runtime, call, (signal) =>
          store.search(scope, query, most, { signal, runtime, call }),
        );
        return { records: recordsIn(found).slice(0, most) };
      },
      { parent },
    );
    if (redactor === undefined) return records;
    return records.map((record) => ({ ...record, content: redactor.value(record.content) }));
  }

  /** Returns the number of stored records. */
  async add(
    runtime: RuntimeContext,
    scope: MemoryScope,
    texts: readonly string[],
    { parent, since }: { readonly parent: CallId; readonly since: number },
  ): Promise<number> {
    const store = this.#store;
    const redactor = redactorOf(runtime);
    const added = await runtime.memory(
      {
        operation: "create_memory",
        ...this.#storeFields,
        records: texts.map((content) => ({ content: redacted(redactor, content) })),
      },
      async ({ records = [] }, call) => {
        const added = await this.#call(runtime, call, (signal) =>
          store.add(scope, records, { signal, runtime, call, since }),
        );
        return { records: recordsIn(added) };
      },
      { parent },
    );
    return added.count ?? added.records?.length ?? 0;
  }

  /** Returns the request and the operation of a deletion, for a run without a surrounding call. */
  deletion(user: string, at: number): { readonly request: MemoryRequest; carryOut: Deletion } {
    return {
      request: { operation: "delete_memory", ...this.#storeFields },
      carryOut: async (runtime, call) => {
        const count = await this.#call(runtime, call, (signal) =>
          this.#store.forget(user, { signal, runtime, call, at }),
        );
        return Number.isSafeInteger(count) ? { count: Number(count) } : {};
      },
    };
  }

  get #storeFields(): Pick<MemoryRequest, "store" | "provider"> {
    const { id, provider } = this.#store;
    return { store: id, ...(provider !== undefined && { provider }) };
  }

  #call<T>(runtime: RuntimeContext, call: CallId, work: (signal: AbortSignal) => T): Promise<Awaited<T>> {
    return inTime(this.#timeout, signalOf(call) ?? runtime.signal, work) as Promise<Awaited<T>>;
  }
}

/** The operation of a deletion. */
export type Deletion = (runtime: RuntimeContext, call: CallId) => Promise<{ readonly count?: number }>;

const redacted = (redactor: Redactor | undefined, text: string): string => redactor?.redact(text) ?? text;

/** @throws {MemoryError} `ERR_MEMORY_ANSWER` */
function recordsIn(value: unknown): readonly MemoryRecord[] {
  if (Array.isArray(value) && value.every((each) => isObject(each) && "content" in each)) return value;
  throw new MemoryError("ERR_MEMORY_ANSWER", "The store did not return a list of records with content.");
}
