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
    const runTokens = runs?.of(runtime);
    const at = { place: "memory", runtime, call } as const;
    const texts = textsOf(request);
    const treated = await treatAt(guard, at, texts, runTokens, (changed) => changed as Texts);
    if (treated !== texts) context.request = { ...request, ...withTexts(request, treated) };
    await callNext();
    context.pipe({
      chunk(result: MemoryResult, emit: Emit<MemoryResult>) {
        const texts = textsOf(result);
        return treatAt(guard, at, texts, runTokens, (changed) =>
          emit(changed === texts ? result : { ...result, ...withTexts(result, changed as Texts) }),
        );
      },
    });
  };
}

/** The text of a request or a result, without names and counts. */
interface Texts {
  readonly query?: unknown;
  readonly records?: readonly unknown[];
}

interface Operation {
  readonly query?: string;
  readonly records?: readonly MemoryRecord[];
}

const textsOf = ({ query, records }: Operation): Texts => ({
  ...(query !== undefined && { query }),
  ...(records && { records: records.map((record) => without(record)) }),
});

const withTexts = ({ records = [] }: Operation, texts: Texts): Operation => ({
  ...(texts.query !== undefined && { query: String(texts.query) }),
  ...(texts.records && {
    records: texts.records.map((changed, index) => ({ ...identityOf(records[index]), ...(changed as MemoryRecord) })),
  }),
});

/** A record without its id and score. */
function without(record: MemoryRecord): unknown {
  const { id: _id, score: _score, ...texts } = record;
  return texts;
}

const identityOf = ({ id, score }: Partial<MemoryRecord> = {}): Partial<MemoryRecord> => ({
  ...(id !== undefined && { id }),
  ...(score !== undefined && { score }),
});
