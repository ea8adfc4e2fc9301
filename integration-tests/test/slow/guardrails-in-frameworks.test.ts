import { aiSubject } from "../../../packages/adapters/ai-sdk/test/subject.js";
import { langchainSubject } from "../../../packages/adapters/langchain/test/subject.js";
import { agentSubject, anthropicAt } from "../../../packages/agent/test/subject.js";
import { describeGuardrails } from "../../guarded.js";

describeGuardrails("@suite/agent, OpenAI", (server) => agentSubject(server));
describeGuardrails("@suite/agent, Anthropic", (server) => agentSubject(server, anthropicAt));
for (const entry of ["functions", "agent"] as const) {
  describeGuardrails(`the AI SDK's ${entry}`, (server) => aiSubject(server, entry));
}
describeGuardrails("LangChain", langchainSubject);
