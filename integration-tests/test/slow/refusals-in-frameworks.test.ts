import { aiSubject } from "../../../packages/adapters/ai-sdk/test/subject.js";
import { langchainSubject } from "../../../packages/adapters/langchain/test/subject.js";
import { agentSubject } from "../../../packages/agent/test/subject.js";
import { describeRefusals } from "../../refused.js";

describeRefusals("@suite/agent", (server) => agentSubject(server));
for (const entry of ["functions", "agent"] as const) {
  describeRefusals(`the AI SDK's ${entry}`, (server) => aiSubject(server, entry));
}
describeRefusals("LangChain", langchainSubject);
