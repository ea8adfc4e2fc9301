import type { CallNext, Emit, Invocation } from "@suite/core";
import type { MemoryRecord, MemoryResult } from "@suite/core/contract";
import type { Guard } from "./guard.js";
import { treatAt } from "./hooks.js";
import type { TokenRuns } from "./run-tokens.js";

/**
 * Creates the layer for memory operations. It treats the query and the records that are found or stored. Ids of records
 * pass unchanged, since another id would mean another record.
 */
export function memoryLayer(guard: Guard, runs?: TokenRuns) {
  return async (context: Invocation<"memory">, callNext: CallNext): Promise<void> => {
    const { runtime, call, request } = context;
    const own = runs?.of(runtime);
    const at = { place: "memory", runtime, call } as const;
    const told = saidIn(request);
    const treated = await treatAt(guard, at, told, own, (made) => made as Said);
    if (treated !== told) context.request = { ...request, ...put(request, treated) };
    await callNext();
    context.pipe({
      chunk(result: MemoryResult, emit: Emit<MemoryResult>) {
        const found = saidIn(result);
        return treatAt(guard, at, found, own, (made) =>
          emit(made === found ? result : { ...result, ...put(result, made as Said) }),
        );
      },
    });
  };
}

/** The text of a request or a result, without names and counts. */
interface Said {
  readonly query?: unknown;
  readonly records?: readonly unknown[];
}

interface Told {
  readonly query?: string;
  readonly records?: readonly MemoryRecord[];
}

const saidIn = ({ query, records }: Told): Said => ({
  ...(query !== undefined && { query }),
  ...(records && { records: records.map((record) => without(record)) }),
});

const put = ({ records = [] }: Told, said: Said): Told => ({
  ...(said.query !== undefined && { query: String(said.query) }),
  ...(said.records && {
    records: said.records.map((made, index) => ({ ...naming(records[index]), ...(made as MemoryRecord) })),
  }),
});

/** A record without its id and score. */
function without(record: MemoryRecord): unknown {
  const { id: _id, score: _score, ...said } = record;
  return said;
}

const naming = ({ id, score }: Partial<MemoryRecord> = {}): Partial<MemoryRecord> => ({
  ...(id !== undefined && { id }),
  ...(score !== undefined && { score }),
});
