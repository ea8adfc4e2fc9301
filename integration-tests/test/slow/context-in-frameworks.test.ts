import { aiSubject } from "../../../packages/adapters/ai-sdk/test/subject.js";
import { langchainSubject } from "../../../packages/adapters/langchain/test/subject.js";
import { agentSubject, anthropicAt } from "../../../packages/agent/test/subject.js";
import { describeContext } from "../../contexted.js";

describeContext("@suite/agent, OpenAI", (server) => agentSubject(server));
describeContext("@suite/agent, Anthropic", (server) => agentSubject(server, anthropicAt));
for (const entry of ["functions", "agent"] as const) {
  describeContext(`the AI SDK's ${entry}`, (server) => aiSubject(server, entry));
}
describeContext("LangChain", langchainSubject);
