import { aiSubject } from "../../packages/adapters/ai-sdk/test/subject.js";
import { langchainSubject } from "../../packages/adapters/langchain/test/subject.js";
import { agentSubject, anthropicAt } from "../../packages/agent/test/subject.js";
import { describeResilience } from "../resilient.js";

describeResilience("@suite/agent, OpenAI", (server) => agentSubject(server));
describeResilience("@suite/agent, Anthropic", (server) => agentSubject(server, anthropicAt));
for (const entry of ["functions", "agent"] as const) {
  const unnamed = "its model was given as an object";
  describeResilience(`the AI SDK's ${entry}`, (server) => aiSubject(server, entry), { unnamed });
}
describeResilience("LangChain", langchainSubject);
