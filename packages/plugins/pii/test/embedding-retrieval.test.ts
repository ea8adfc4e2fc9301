import { describe, expect, it } from "@jest/globals";
import type { Plugin } from "@suite/core";
import { defineAdapter } from "@suite/core/adapter";
import { pii } from "@suite/pii";
import { call, gone, mail, rules } from "./calls.js";

const embed = (plugin: Plugin, input: readonly unknown[]) =>
  call(plugin, "embedding", { model: "e", input }, { value: { embeddings: [[1], [2]] } });
const search = (plugin: Plugin) =>
  call(
    plugin,
    "retrieval",
    { query: `who is ${mail}?` },
    { value: { documents: [{ id: "d", content: `write to ${mail}`, metadata: { by: [mail] } }] } },
  );

describe("texts that are embedded", () => {
  it("are treated unless the input of models is not", async () => {
    const input = ["plain", `I am ${mail}`, [1, 2, 3]];
    expect((await embed(pii(rules), input)).seen).toEqual({ model: "e", input: ["plain", `I am ${gone}`, [1, 2, 3]] });
    expect(pii(rules, { apply: { input: false } })).not.toHaveProperty("embedding");
    expect(pii(rules, { apply: { embeddings: false } })).not.toHaveProperty("embedding");
  });

  it("stay the same object without findings", async () => {
    const input = ["plain"];
    expect((await embed(pii(rules), input)).seen?.input).toBe(input);
  });

  it("are required of an adapter only if they are named", () => {
    const withPlugins = defineAdapter({ name: "none", serves: ["model"], attach: (target: object) => target });
    expect(() => withPlugins({}, [pii(rules)] as Plugin[])).not.toThrow();
    expect(() => withPlugins({}, [pii(rules, { apply: { embeddings: true } })] as Plugin[])).toThrow(
      expect.objectContaining({ code: "ERR_HOOK_NOT_SERVED" }),
    );
  });

  it("are reported as a decision of a guard", async () => {
    const { notifications } = await embed(pii(rules), [mail]);
    expect(notifications).toEqual([
      expect.objectContaining({ type: "guardrail", place: "embedding", decision: "modify", findings: { email: 1 } }),
    ]);
  });
});

describe("a search of documents", () => {
  it("is treated where it is asked for: what is searched for, and what is found", async () => {
    const { seen, final } = await search(pii(rules, { apply: { retrieval: true } }));
    expect(seen).toEqual({ query: `who is ${gone}?` });
    expect(final).toEqual({ documents: [{ id: "d", content: `write to ${gone}`, metadata: { by: [gone] } }] });
    expect(pii(rules)).not.toHaveProperty("retrieval");
  });
});
