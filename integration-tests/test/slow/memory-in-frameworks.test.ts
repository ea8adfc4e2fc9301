import { aiSubject } from "../../../packages/adapters/ai-sdk/test/subject.js";
import { langchainSubject } from "../../../packages/adapters/langchain/test/subject.js";
import { agentSubject, anthropicAt } from "../../../packages/agent/test/subject.js";
import { describeConversations, describeMemory } from "../../remembering.js";

describeMemory("@suite/agent, OpenAI", (server) => agentSubject(server));
describeConversations("@suite/agent, OpenAI", (server) => agentSubject(server));
describeMemory("@suite/agent, Anthropic", (server) => agentSubject(server, anthropicAt));
describeConversations("@suite/agent, Anthropic", (server) => agentSubject(server, anthropicAt));
for (const entry of ["functions", "agent"] as const) {
  describeMemory(`the AI SDK's ${entry}`, (server) => aiSubject(server, entry));
  describeConversations(`the AI SDK's ${entry}`, (server) => aiSubject(server, entry));
}
describeMemory("LangChain", langchainSubject);
describeConversations("LangChain", langchainSubject);
