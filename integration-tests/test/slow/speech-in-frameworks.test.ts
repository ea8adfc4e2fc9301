import { aiSubject } from "../../../packages/adapters/ai-sdk/test/subject.js";
import { langchainSubject } from "../../../packages/adapters/langchain/test/subject.js";
import { agentSubject, anthropicAt } from "../../../packages/agent/test/subject.js";
import { describeSpeech } from "../../spoken.js";

describeSpeech("@suite/agent, OpenAI", (server) => agentSubject(server));
describeSpeech("@suite/agent, Anthropic", (server) => agentSubject(server, anthropicAt));
for (const entry of ["functions", "agent"] as const) {
  describeSpeech(`the AI SDK's ${entry}`, (server) => aiSubject(server, entry));
}
describeSpeech("LangChain", langchainSubject);
