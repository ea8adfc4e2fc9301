import { withPlugins } from "@suite/fetch";
import OpenAI from "openai";
import { aiSubject } from "../../../packages/adapters/ai-sdk/test/subject.js";
import { subjectOf } from "../../../packages/adapters/fetch/test/subject.js";
import { langchainSubject } from "../../../packages/adapters/langchain/test/subject.js";
import { samplingSubject } from "../../../packages/adapters/mcp/test/subject.js";
import { agentSubject } from "../../../packages/agent/test/subject.js";
import { describeIdentity } from "../../identified.js";

describeIdentity("@suite/agent", (server) => agentSubject(server));
for (const entry of ["functions", "agent"] as const) {
  describeIdentity(`the AI SDK's ${entry}`, (server) => aiSubject(server, entry));
}
describeIdentity("LangChain", langchainSubject);
describeIdentity("a client of openai", (server) =>
  subjectOf(server, async ({ plugins, input, stream, run }, url) => {
    const client = withPlugins(new OpenAI({ apiKey: "none", baseURL: `${url}/v1`, maxRetries: 0 }), plugins, { run });
    const question = { model: "m", messages: [{ role: "user" as const, content: input }] };
    if (!stream) return (await client.chat.completions.create(question)).choices[0]?.message.content ?? "";
    return (await client.chat.completions.stream(question).finalContent()) ?? "";
  }),
);
describeIdentity("MCP", samplingSubject);
