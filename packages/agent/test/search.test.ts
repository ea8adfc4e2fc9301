import { expect, it } from "@jest/globals";
import { createAgent, defineTool } from "@suite/agent";
import { definePlugin } from "@suite/core";
import type { RetrievalRequest, RetrievedDocument } from "@suite/core/contract";
import { found, text, watched } from "../../../integration-tests/watched.js";
import { call, scripted } from "./support.js";

const apply = { output: true, toolArguments: true, toolResults: true, retrieval: true, errors: true };

it.each(["run", "stream"] as const)(
  "a tool that declares retrieval gives no personal data away (%s), in query, documents, spans and records",
  async (mode) => {
    const watch = watched({ apply });
    const asked: unknown[] = [];
    const handbook = defineTool({
      name: "handbook",
      parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
      retrieval: { source: "handbook", limit: 3 },
      async execute(input): Promise<readonly RetrievedDocument[]> {
        asked.push(input);
        return [{ id: text, content: text, metadata: { [text]: { by: text } } }];
      },
    });
    const model = scripted([call("1", "handbook", { query: text })], text);
    const agent = createAgent({ name: "desk", model, tools: [handbook], plugins: watch.plugins });
    const done = mode === "run" ? await agent.run(text) : await agent.stream(text).result;
    const tree = watch.tree();
    const { spans, records } = await watch.written();
    for (const told of [asked, model.asked, done.status === "completed" && done.text, spans, records]) {
      expect(found(told)).toEqual([]);
    }
    expect(JSON.stringify(asked)).toContain("[REDACTED_EMAIL]");
    expect(tree).toEqual([
      "invoke_agent desk",
      "  chat scripted-1",
      "  execute_tool handbook",
      "    retrieval handbook",
      "  chat scripted-1",
    ]);
    expect(records.some((record) => record.includes('"retrieval"'))).toBe(true);
  },
);

it("layers see the limit of the input, else that of the tool, and may change it where the input has one", async () => {
  const seen: RetrievalRequest[] = [];
  const fewer = definePlugin({
    name: "fewer",
    async retrieval(invocation, callNext) {
      seen.push(invocation.request);
      invocation.request = { ...invocation.request, limit: 1 };
      await callNext();
    },
  });
  const inputs: unknown[] = [];
  const find = defineTool({
    name: "find",
    retrieval: { limit: 9 },
    execute(input) {
      inputs.push(input);
      return [];
    },
  });
  const model = scripted([call("1", "find", { query: "a" }), call("2", "find", { query: "b", limit: 5 })], "done");
  await createAgent({ name: "a", model, tools: [find], plugins: [fewer], maxParallelTools: 1 }).run("x");
  expect(seen).toEqual([
    { query: "a", limit: 9 },
    { query: "b", limit: 5 },
  ]);
  expect(inputs).toEqual([{ query: "a" }, { query: "b", limit: 1 }]);
});

it.each([
  ["no query", {}, () => [], "query"],
  ["no documents", { query: "a" }, () => "text", "list of documents"],
  ["a list of something else", { query: "a" }, () => ["text"], "list of documents"],
])("with %s the call fails, and says why", async (_, input, execute, why) => {
  const find = defineTool({ name: "find", retrieval: true, execute });
  const model = scripted([call("1", "find", input)], "done");
  await createAgent({ name: "a", model, tools: [find] }).run("x");
  const told = model.asked[1]?.messages.at(-1)?.parts[0];
  expect(told).toMatchObject({ isError: true, response: expect.stringContaining(why) });
});
