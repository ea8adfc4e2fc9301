import { describe, expect, it, jest } from "@jest/globals";
import { load } from "@langchain/core/load";
import type { AIMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { redacting } from "@suite/testkit";
import * as langchain from "langchain";
import { withPlugins } from "../src/index.js";
import { asks, collect, useServer } from "./support.js";

jest.spyOn(console, "warn").mockImplementation(() => {});
const world = useServer();
const usage = { inputTokens: 12, outputTokens: 9 };
const config = { configurable: { thread_id: "t" } };

/** Answers that a guard rewrote, as they come back from where they were stored. */
describe.each(["chat completions", "responses"])("an answer by %s that a layer rewrote keeps, stored,", (api) => {
  it.each(["invoke", "stream"])("its id, its token counts and why it ended: %s", async (way) => {
    const checkpointer = new MemorySaver();
    const model = world.model({ useResponsesApi: api === "responses" });
    const agent = withPlugins(langchain, [redacting()] as never[]).createAgent({ model, checkpointer });
    world.server.script({ text: "I am eve@x.y", chunks: 3, usage });
    const given =
      way === "invoke"
        ? await agent.invoke(asks("Hello."), config)
        : (await collect(await agent.stream(asks("Hello."), { ...config, streamMode: "values" }))).at(-1);
    const [said] = (given?.messages ?? []).slice(-1) as AIMessage[];
    const { values } = await agent.graph.getState(config);
    const kept = [values.messages.at(-1), await load(JSON.stringify(said))] as AIMessage[];
    for (const message of [said as AIMessage, ...kept]) {
      expect(message).toMatchObject({ text: "I am [EMAIL]", id: said?.id });
      // The content keeps the form that its provider gave it.
      expect(Array.isArray(message.content)).toBe(api === "responses");
      expect(message.usage_metadata).toMatchObject({ input_tokens: 12, output_tokens: 9, total_tokens: 21 });
      const { finish_reason, status } = message.response_metadata;
      expect([finish_reason, status]).toContain(api === "responses" ? "completed" : "stop");
    }
  });
});
