import { AIMessage, AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import { LangChainTracer } from "@langchain/core/tracers/tracer_langchain";
import { FakeStreamingChatModel } from "@langchain/core/utils/testing";
import { withPlugins } from "@suite/langchain";
import * as langchain from "langchain";
import { adapterGroup, answer, type Framework, type Measured, question, words } from "./adapters.js";

const model = new FakeStreamingChatModel({
  responses: [new AIMessage(answer)],
  chunks: words.map((content) => new AIMessageChunk({ id: "1", content })),
});
const input = { messages: [{ role: "user" as const, content: question }] };

function measured({ createAgent }: Pick<typeof langchain, "createAgent">, callbacks: LangChainTracer[] = []): Measured {
  // Else a tracer makes LangChain end a stream before its last chunks, when they come at once.
  process.env.LANGCHAIN_CALLBACKS_BACKGROUND = "false";
  const agent = createAgent({ model, tools: [] });
  return {
    async call() {
      const { messages } = (await agent.invoke(input, { callbacks })) as { readonly messages: readonly BaseMessage[] };
      return messages.at(-1)?.text ?? "";
    },
    async *stream() {
      for await (const [message] of await agent.stream(input, { callbacks, streamMode: "messages" }))
        yield message.text;
    },
  };
}

/** Takes what LangChain would send to LangSmith, and does nothing with it. */
const nowhere = { createRun: async () => {}, updateRun: async () => {} };

export const langChain: Framework = {
  name: "langchain",
  about:
    "`invoke` and `stream` of an agent of LangChain without tools; its own telemetry is the tracer of LangSmith, with a client that drops what it gets.",
  bare: () => measured(langchain),
  withPlugins: (plugins) => measured(withPlugins(langchain, plugins)),
  withFrameworkTelemetry: () => measured(langchain, [new LangChainTracer({ client: nowhere })]),
};

export const adaptersLangChain = adapterGroup(langChain);
