import { aiSubject } from "../../packages/adapters/ai-sdk/test/subject.js";
import { agentsSubject } from "../../packages/adapters/openai-agents/test/subject.js";
import { describeApprovals } from "../approved.js";

for (const api of ["chat completions", "responses"] as const) {
  describeApprovals(`OpenAI Agents, ${api}`, (server) => agentsSubject(server, api));
}
for (const entry of ["functions", "agent"] as const) {
  describeApprovals(`the AI SDK 7's ${entry}`, (server) => aiSubject(server, entry));
}
