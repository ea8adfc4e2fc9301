import type { MemoryRecord } from "@suite/core/contract";
import { isObject } from "@suite/kit";
import { name as text } from "@suite/kit/options";
import { MemoryError } from "../errors.js";
import { checkOptions, having, invalid } from "../options.js";
import type { MemoryScope, MemoryStore } from "../store.js";
import { Forgotten } from "./forgotten.js";

/** The owner of memories in mem0. */
interface Mem0Owner {
  readonly userId: string;
  readonly agentId?: string;
}

/** The subset of a mem0 client (`mem0ai` 3) that the store uses: the platform client or the open-source version. */
export interface Mem0Client {
  search(
    query: string,
    options: { filters: { user_id: string; agent_id?: string }; topK: number },
  ): Promise<{ readonly results: readonly unknown[] }>;
  add(messages: { role: "user"; content: string }[], options: Mem0Owner): Promise<unknown>;
  deleteAll(options: { userId: string }): Promise<unknown>;
}

/**
 * Creates a store in mem0, which extracts facts with its own model. Each message is stored as a message of the user.
 * mem0 does not report the number of forgotten memories.
 *
 * @throws {MemoryError} `ERR_MEMORY_OPTION`
 * @example
 * ```ts
 * import { MemoryClient } from "mem0ai";
 * const remembering = memory({ store: mem0Memory(new MemoryClient({ apiKey })) });
 * ```
 */
export function mem0Memory(client: Mem0Client, options: { readonly id?: string } = {}): MemoryStore {
  options = checkOptions("mem0Memory", options, { id: text });
  const { id = "mem0" } = options;
  if (having("a client", "search", "add", "deleteAll")(client) !== undefined) {
    throw invalid("mem0Memory() takes a mem0 client: an object with search, add and deleteAll.");
  }
  const forgotten = new Forgotten();
  return {
    id,
    provider: "mem0",
    async search({ user, agent }, query, limit): Promise<readonly MemoryRecord[]> {
      const filters = { user_id: user, ...(agent !== undefined && { agent_id: agent }) };
      return resultsIn(await client.search(query, { filters, topK: limit })).flatMap((each) => recordIn(each));
    },
    async add(scope, records, { since }) {
      if (forgotten.since(scope.user, since)) return [];
      const messages = records.map(({ content }) => ({ role: "user" as const, content: String(content) }));
      await client.add(messages, ownerOf(scope));
      // mem0 may still process the messages after its response, and may store more or fewer records.
      return records;
    },
    async forget(user, { at }) {
      forgotten.add(user, at);
      await client.deleteAll({ userId: user });
      return undefined;
    },
  };
}

const ownerOf = ({ user, agent }: MemoryScope): Mem0Owner => ({
  userId: user,
  ...(agent !== undefined && { agentId: agent }),
});

function resultsIn(value: unknown): readonly unknown[] {
  if (isObject(value) && Array.isArray(value.results)) return value.results;
  throw new MemoryError("ERR_MEMORY_ANSWER", "The mem0 client returned no results. Use mem0ai 3 or later.");
}

function recordIn(value: unknown): readonly MemoryRecord[] {
  if (!isObject(value) || typeof value.memory !== "string") return [];
  const { id, memory, score } = value;
  return [{ content: memory, ...(typeof id === "string" && { id }), ...(typeof score === "number" && { score }) }];
}
