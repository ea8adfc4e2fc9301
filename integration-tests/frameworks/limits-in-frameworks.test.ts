import { agentsSubject } from "../../packages/adapters/openai-agents/test/subject.js";
import { describeLimits } from "../limited.js";

for (const api of ["chat completions", "responses"] as const) {
  describeLimits(`OpenAI Agents, ${api}`, (server) => agentsSubject(server, api));
}
