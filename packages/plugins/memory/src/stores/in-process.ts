import type { MemoryRecord } from "@suite/core/contract";
import { queryOf, wordsOf } from "@suite/core/messages";
import { count, name as text } from "@suite/kit/options";
import MiniSearch from "minisearch";
import { MemoryError } from "../errors.js";
import { checkOptions } from "../options.js";
import type { MemoryScope, MemoryStore } from "../store.js";
import { Forgotten } from "./forgotten.js";

/** The options of `inProcessMemory`. */
export interface InProcessOptions {
  /** The id of the store on spans and in records. Default: `memory`. */
  readonly id?: string;
  /** The maximum number of records per user. When it is exceeded, the oldest are removed. Default: 1000. */
  readonly maxPerUser?: number;
  /** The maximum number of records of all users. Further records are refused (`ERR_MEMORY_FULL`). Default: 100,000. */
  readonly maxRecords?: number;
}

/** A record in the index. */
interface IndexedRecord {
  readonly id: string;
  readonly content: string;
  readonly agent: string | undefined;
}

/** The records of one user, oldest first, with their full-text index. */
interface OfUser {
  readonly records: Map<string, IndexedRecord>;
  readonly index: MiniSearch<IndexedRecord>;
}

/**
 * Creates a store in this process's memory with full-text search. It is lost when the process ends, and other processes
 * cannot see it. Use it for tests, single-user tools and first trials.
 *
 * @throws {MemoryError} `ERR_MEMORY_OPTION`
 * @example
 * ```ts
 * const remembering = memory({ store: inProcessMemory() });
 * ```
 */
export function inProcessMemory(options: InProcessOptions = {}): MemoryStore {
  options = checkOptions("inProcessMemory", options, { id: text, maxPerUser: count, maxRecords: count });
  const { id = "memory", maxPerUser = 1000, maxRecords = 100_000 } = options;
  const users = new Map<string, OfUser>();
  const forgotten = new Forgotten();
  let size = 0;

  const add = (of: OfUser, record: IndexedRecord): void => {
    of.records.set(record.id, record);
    of.index.add(record);
    size++;
    if (of.records.size <= maxPerUser) return;
    const [oldest] = of.records.values();
    if (oldest === undefined) return;
    of.records.delete(oldest.id);
    of.index.remove(oldest);
    size--;
  };

  return {
    id,
    search({ user, agent }: MemoryScope, query, limit): readonly MemoryRecord[] {
      const of = users.get(user);
      if (of === undefined) return [];
      const found = of.index.search(queryOf(query), {
        prefix: (word) => word.length > 3,
        fuzzy: (word) => (word.length > 5 ? 0.2 : false),
        filter: (each) => agent === undefined || of.records.get(String(each.id))?.agent === agent,
      });
      return found.slice(0, limit).map(({ id, score }) => {
        const { content = "" } = of.records.get(String(id)) ?? {};
        return { id: String(id), content, score };
      });
    },
    add({ user, agent }, records, { since }) {
      if (forgotten.since(user, since)) return [];
      const of = users.get(user) ?? emptyOfUser();
      const room = Math.max(0, maxPerUser - of.records.size);
      if (size + Math.min(records.length, room) > maxRecords) throw full(maxRecords);
      users.set(user, of);
      return records.map((record) => {
        const stored = { id: crypto.randomUUID(), content: String(record.content), agent };
        add(of, stored);
        return { ...record, id: stored.id };
      });
    },
    forget(user, { at }) {
      forgotten.add(user, at);
      const removed = users.get(user)?.records.size ?? 0;
      users.delete(user);
      size -= removed;
      return removed;
    },
  };
}

const emptyOfUser = (): OfUser => ({
  records: new Map(),
  index: new MiniSearch<IndexedRecord>({ fields: ["content"], tokenize: wordsOf }),
});

const full = (maximum: number): MemoryError =>
  new MemoryError(
    "ERR_MEMORY_FULL",
    `The memory is full (${maximum} records). Raise maxRecords, or use a store outside the process.`,
  );
