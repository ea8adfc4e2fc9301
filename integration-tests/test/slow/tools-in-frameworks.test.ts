import { aiSubject } from "../../../packages/adapters/ai-sdk/test/subject.js";
import { langchainSubject } from "../../../packages/adapters/langchain/test/subject.js";
import { agentSubject, anthropicAt } from "../../../packages/agent/test/subject.js";
import { describeTools } from "../../tooled.js";

describeTools("@suite/agent, OpenAI", (server) => agentSubject(server));
describeTools("@suite/agent, Anthropic", (server) => agentSubject(server, anthropicAt));
for (const entry of ["functions", "agent"] as const) {
  describeTools(`the AI SDK's ${entry}`, (server) => aiSubject(server, entry));
}
describeTools("LangChain", langchainSubject);
