import { aiSubject } from "../../../packages/adapters/ai-sdk/test/subject.js";
import { langchainSubject } from "../../../packages/adapters/langchain/test/subject.js";
import { agentSubject, anthropicAt } from "../../../packages/agent/test/subject.js";
import { describeLimits } from "../../limited.js";

describeLimits("@suite/agent, OpenAI", (server) => agentSubject(server));
describeLimits("@suite/agent, Anthropic", (server) => agentSubject(server, anthropicAt));
for (const entry of ["functions", "agent"] as const) {
  describeLimits(`the AI SDK's ${entry}`, (server) => aiSubject(server, entry));
}
describeLimits("LangChain", langchainSubject);
