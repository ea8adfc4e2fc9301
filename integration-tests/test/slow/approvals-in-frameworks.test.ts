import { aiSubject } from "../../../packages/adapters/ai-sdk/test/subject.js";
import { langchainSubject } from "../../../packages/adapters/langchain/test/subject.js";
import { agentSubject, anthropicAt } from "../../../packages/agent/test/subject.js";
import { describeApprovals } from "../../approved.js";

describeApprovals("@suite/agent, OpenAI", (server) => agentSubject(server));
describeApprovals("@suite/agent, Anthropic", (server) => agentSubject(server, anthropicAt));
for (const entry of ["functions", "agent"] as const) {
  describeApprovals(`the AI SDK's ${entry}`, (server) => aiSubject(server, entry));
}
describeApprovals("LangChain", langchainSubject);
