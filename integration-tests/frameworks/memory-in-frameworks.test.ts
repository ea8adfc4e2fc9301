import { agentsSubject } from "../../packages/adapters/openai-agents/test/subject.js";
import { describeConversations, describeMemory } from "../remembering.js";

for (const api of ["chat completions", "responses"] as const) {
  describeMemory(`OpenAI Agents, ${api}`, (server) => agentsSubject(server, api));
  describeConversations(`OpenAI Agents, ${api}`, (server) => agentsSubject(server, api));
}
