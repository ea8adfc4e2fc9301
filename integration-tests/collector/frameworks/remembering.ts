import { definePlugin, type RuntimeContext } from "@suite/core";
import type { MemoryOptions } from "@suite/core/contract";
import { text } from "./planted-attempts.js";

const records = [{ id: "1", content: text, metadata: { [text]: { by: text } } }];

/** A plugin that searches its memory before an answer, and after it keeps something, forgets something, and fails. */
export const remembering = definePlugin({
  name: "remembering",
  async model(invocation, callNext) {
    const { runtime, call: parent } = invocation;
    const search = { operation: "search_memory", store: "notes", query: text } as const;
    await runtime.memory(search, () => ({ records }), { parent });
    await callNext();
    invocation.pipe({ flush: () => change(runtime, { parent }) });
  },
});

async function change({ memory }: RuntimeContext, within: MemoryOptions): Promise<void> {
  await memory({ operation: "upsert_memory", store: "notes", records }, () => ({}), within);
  await memory({ operation: "delete_memory", ids: ["1"] }, () => ({ count: 1 }), within);
  const closed = () => {
    throw new Error(text);
  };
  await memory({ operation: "delete_memory_store" }, closed, within).catch(() => {});
}
