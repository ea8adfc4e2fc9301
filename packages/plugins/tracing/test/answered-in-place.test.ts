import { expect, it } from "@jest/globals";
import type { Plugin } from "@suite/core";
import { useReceiver } from "./receiving.js";
import { Harness, modelRequest, reply, tool } from "./support.js";

const { attributes } = useReceiver();

const answer = { ...reply("kept"), usage: { inputTokens: 90, outputTokens: 10, cacheReadInputTokens: 5 } };
const vectors = { embeddings: [[1]], usage: { inputTokens: 7 } };
/** Answers everything the second time. */
const cache = (): Plugin => {
  const seen = new Set<string>();
  const keep = async <Call extends { kind: string; respond(value: never): void }>(
    call: Call,
    next: () => Promise<void>,
    value: unknown,
  ): Promise<void> => {
    if (seen.has(call.kind)) return call.respond({ value } as never);
    seen.add(call.kind);
    await next();
  };
  return {
    name: "cache",
    model: (call, next) => keep(call, next, answer),
    embedding: (call, next) => keep(call, next, vectors),
    tool: (call, next) => keep(call, next, "kept"),
  };
};

it("reports that no model was called, and no tokens, if a cache answered", async () => {
  const { stack } = new Harness({}, [cache()]);
  for (let i = 0; i < 2; i++) {
    const run = stack.begin();
    await (await stack.call("model", run, modelRequest(), async (m) => m.respond({ value: answer }))).final();
    const texts = { model: "e-1", input: ["a"] };
    await (await stack.call("embedding", run, texts, async (e) => e.respond({ value: vectors }))).final();
    const request = { id: "c1", tool: tool("find", () => "found"), input: {} };
    await (await stack.call("tool", run, request, async (t) => t.respond({ value: "found" }))).final();
    await run.end();
  }
  const [asked, kept] = await attributes("chat gpt-5");
  expect(asked).toMatchObject({ "gen_ai.usage.input_tokens": 90, "gen_ai.usage.output_tokens": 10 });
  expect(asked).not.toHaveProperty(["suite.reached"]);
  expect(kept).toMatchObject({ "suite.reached": false, "gen_ai.response.id": "resp-1" });
  expect(Object.keys(kept ?? {}).filter((key) => key.startsWith("gen_ai.usage."))).toEqual([]);
  const [embedded, again] = await attributes("embeddings e-1");
  expect(embedded).toMatchObject({ "gen_ai.usage.input_tokens": 7 });
  expect(again).toMatchObject({ "suite.reached": false });
  expect(again).not.toHaveProperty(["gen_ai.usage.input_tokens"]);
  const [ran, notRun] = await attributes("execute_tool find");
  expect(ran).not.toHaveProperty(["suite.reached"]);
  expect(notRun).toMatchObject({ "suite.reached": false });
});

it("says so of a call that a guard refused, too", async () => {
  const guard: Plugin = { name: "guard", model: () => Promise.reject(new TypeError("not today")) };
  const { stack } = new Harness({}, [guard]);
  const run = stack.begin();
  await stack.call("model", run, modelRequest(), async (m) => m.respond({ value: answer })).catch(() => {});
  expect(await attributes("chat gpt-5")).toEqual([
    expect.objectContaining({ "suite.reached": false, "error.type": "TypeError" }),
  ]);
});

it("reports no tokens if a cache answered after the model had failed", async () => {
  const fallback: Plugin = {
    name: "fallback",
    async model(call, next) {
      await next();
      await call.result?.ready().catch(() => call.respond({ value: answer }));
    },
  };
  const { stack } = new Harness({}, [fallback]);
  const run = stack.begin();
  const outcome = await stack.call("model", run, modelRequest(), async (m) => {
    const broken = async function* () {
      yield* [];
      throw new TypeError("cut");
    };
    m.respond({ stream: broken() });
  });
  await outcome.final();
  await run.end();
  const [failed, kept] = await attributes("chat gpt-5");
  expect(failed).toMatchObject({ "suite.attempt": 1, "error.type": "TypeError" });
  expect(kept).toMatchObject({ "suite.reached": false, "gen_ai.response.id": "resp-1" });
  for (const span of [failed, kept]) {
    expect(Object.keys(span ?? {}).filter((key) => key.startsWith("gen_ai.usage."))).toEqual([]);
  }
});
