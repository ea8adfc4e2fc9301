import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { withPlugins } from "@suite/fetch";
import { withPlugins as mcp } from "@suite/mcp";
import type { Subject } from "@suite/testkit";
import OpenAI from "openai";
import { aiSubject } from "../../../packages/adapters/ai-sdk/test/subject.js";
import { subjectOf } from "../../../packages/adapters/fetch/test/subject.js";
import { langchainSubject } from "../../../packages/adapters/langchain/test/subject.js";
import { samplingSubject } from "../../../packages/adapters/mcp/test/subject.js";
import { agentSubject } from "../../../packages/agent/test/subject.js";
import { describeIdentity } from "../../identified.js";

describeIdentity("@suite/agent", undefined, (server) => agentSubject(server));
for (const entry of ["functions", "agent"] as const) {
  describeIdentity(`the AI SDK's ${entry}`, "packages/adapters/ai-sdk", (server) => aiSubject(server, entry));
}
describeIdentity("LangChain", "packages/adapters/langchain", langchainSubject);
describeIdentity("a client of openai", "packages/adapters/fetch", (server) =>
  subjectOf(server, async ({ plugins, input, stream, run }, url) => {
    const client = withPlugins(new OpenAI({ apiKey: "none", baseURL: `${url}/v1`, maxRetries: 0 }), plugins, { run });
    const question = { model: "m", messages: [{ role: "user" as const, content: input }] };
    if (!stream) return (await client.chat.completions.create(question)).choices[0]?.message.content ?? "";
    return (await client.chat.completions.stream(question).finalContent()) ?? "";
  }),
);
describeIdentity("MCP", "packages/adapters/mcp", (server) => toolsAndSampling(samplingSubject(server)));

/** A server that asks the model of its client, and a client that then calls the tools of such a server. */
function toolsAndSampling(sampling: Subject): Subject {
  return {
    ...sampling,
    hooks: mcp.serves,
    async run(attempt) {
      const answers = attempt.answers.filter((answer) => !("toolCalls" in answer));
      const seen = await sampling.run({ ...attempt, answers });
      const shop = new McpServer({ name: "shop", version: "1.0.0" });
      for (const { name, execute } of attempt.tools ?? []) {
        shop.registerTool(name, {}, async () => ({ content: [{ type: "text", text: String(await execute?.({})) }] }));
      }
      const server = mcp(shop, attempt.plugins, { run: attempt.run });
      const client = new Client({ name: "desk", version: "1.0.0" });
      const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
      await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
      for (const { name } of attempt.tools ?? []) await client.callTool({ name });
      await Promise.all([client.close(), server.close()]);
      return seen;
    },
  };
}
