import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CreateMessageRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Attempt, ModelServer, Observed, Subject } from "@suite/testkit";
import OpenAI from "openai";
import { withPlugins } from "../src/index.js";

/** A server that asks the model of its client: all that MCP has of a model call. */
export const samplingSubject = (modelServer: () => ModelServer): Subject => ({
  offers: new Set(["model", "abort", "system-prompt", "memory", "ids"]),
  lacks: {
    stream: "answers of MCP come whole",
    usage: "the result of sampling has no tokens",
    tools: "MCP calls tools and has no loop of rounds: test/requests.test.ts has its tool calls",
    "structured-output": "sampling has no schema",
    approval: "what MCP asks people is elicitation: test/redaction.test.ts has it",
    "approval-edit": "what MCP asks people is elicitation: test/redaction.test.ts has it",
    "external-tools": "every request is answered while it waits",
    "provider-errors": "an error of sampling is one of JSON-RPC, which has neither the provider's code nor a status",
    "sub-agents": "MCP has no agents",
    embeddings: "MCP has no embeddings",
    retrieval: "MCP reads resources by their address and searches none: test/requests.test.ts has them",
  },
  hooks: new Set(["model", "memory", "systemPrompt", "observe"]),
  async run(attempt) {
    const { url, requests, reset, script } = modelServer();
    reset();
    script(...attempt.answers);
    const observed = await ask(attempt, new OpenAI({ apiKey: "none", baseURL: `${url}/v1`, maxRetries: 0 }));
    return { ...observed, prompts: requests.map(({ body }) => JSON.stringify(body)) };
  },
});

async function ask(attempt: Attempt, openai: OpenAI): Promise<Omit<Observed, "prompts">> {
  const server = withPlugins(new Server({ name: "shop", version: "1.0.0" }, {}), attempt.plugins, {
    run: attempt.run,
  });
  const client = new Client({ name: "desk", version: "1.0.0" }, { capabilities: { sampling: {} } });
  client.setRequestHandler(CreateMessageRequestSchema, async ({ params }, { signal }) => {
    const messages = params.messages.map(({ role, content }) => ({ role, content: JSON.stringify(content) }));
    const system = params.systemPrompt === undefined ? [] : [{ role: "system" as const, content: params.systemPrompt }];
    const { choices } = await openai.chat.completions.create(
      { model: "m", messages: [...system, ...messages] },
      { signal },
    );
    const text = choices[0]?.message.content ?? "";
    return { role: "assistant", model: "m", content: { type: "text", text }, stopReason: "endTurn" };
  });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  try {
    const { content } = await server.createMessage(
      {
        messages: [{ role: "user", content: { type: "text", text: attempt.input } }],
        maxTokens: 100,
        ...(attempt.systemPrompt !== undefined && { systemPrompt: attempt.systemPrompt }),
      },
      attempt.signal && { signal: attempt.signal },
    );
    return { pieces: [], text: content.type === "text" ? content.text : "" };
  } catch (error) {
    return { pieces: [], error };
  } finally {
    await Promise.all([client.close(), server.close()]);
  }
}
