import { aiSubject } from "../../packages/adapters/ai-sdk/test/subject.js";
import { agentsSubject } from "../../packages/adapters/openai-agents/test/subject.js";
import { describeRefusals } from "../refused.js";

for (const api of ["chat completions", "responses"] as const) {
  describeRefusals(`OpenAI Agents, ${api}`, (server) => agentsSubject(server, api));
}
for (const entry of ["functions", "agent"] as const) {
  describeRefusals(`the AI SDK 7's ${entry}`, (server) => aiSubject(server, entry));
}
