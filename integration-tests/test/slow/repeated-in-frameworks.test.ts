import { aiSubject } from "../../../packages/adapters/ai-sdk/test/subject.js";
import { langchainSubject } from "../../../packages/adapters/langchain/test/subject.js";
import { agentSubject, anthropicAt } from "../../../packages/agent/test/subject.js";
import { describeRepeated } from "../../repeated.js";

describeRepeated("@suite/agent, OpenAI", (server) => agentSubject(server));
describeRepeated("@suite/agent, Anthropic", (server) => agentSubject(server, anthropicAt));
for (const entry of ["functions", "agent"] as const) {
  describeRepeated(`the AI SDK's ${entry}`, (server) => aiSubject(server, entry));
}
describeRepeated("LangChain", langchainSubject);
