import { describe, expect, it } from "@jest/globals";
import type { MemoryRequest, MemoryResult } from "@suite/core/contract";
import { pii } from "@suite/pii";
import { call, gone, mail, rules } from "./calls.js";

const plugin = () => pii(rules, { apply: { memory: true } });
const ask = (request: MemoryRequest, value: MemoryResult = {}) => call(plugin(), "memory", request, { value });

describe("operations on a memory", () => {
  it("treats queries and records if memory is on", async () => {
    const record = { id: mail, content: `write to ${mail}`, score: 0.5, metadata: { by: [mail] } };
    const { seen, final, notifications } = await ask(
      { operation: "search_memory", store: "notes", query: `who is ${mail}?`, limit: 3 },
      { records: [record], count: 1 },
    );
    expect(seen).toEqual({ operation: "search_memory", store: "notes", query: `who is ${gone}?`, limit: 3 });
    expect(final).toEqual({
      records: [{ id: mail, content: `write to ${gone}`, score: 0.5, metadata: { by: [gone] } }],
      count: 1,
    });
    expect(notifications).toEqual([
      expect.objectContaining({ type: "guardrail", place: "memory", decision: "modify", findings: { email: 1 } }),
      expect.objectContaining({ type: "guardrail", place: "memory", decision: "modify", findings: { email: 2 } }),
    ]);
    expect(pii(rules)).not.toHaveProperty("memory");
  });

  it("keep treated records, each under its own id", async () => {
    const records = [{ id: mail, content: { said: mail }, metadata: { [mail]: 1 } }, { content: "plain" }];
    const { seen } = await ask({ operation: "upsert_memory", records });
    expect(seen?.records).toEqual([
      { id: mail, content: { said: gone }, metadata: { [gone]: 1 } },
      { content: "plain" },
    ]);
  });

  it("delete what they name, and nothing else", async () => {
    const { seen } = await ask({ operation: "delete_memory", ids: [mail] });
    expect(seen).toEqual({ operation: "delete_memory", ids: [mail] });
  });

  it("stay the same objects without findings", async () => {
    const request: MemoryRequest = { operation: "create_memory", records: [{ content: "plain" }] };
    const result: MemoryResult = { records: [{ id: "1", content: "plain" }] };
    const { seen, final } = await ask(request, result);
    expect(seen).toBe(request);
    expect(final).toBe(result);
  });
});
