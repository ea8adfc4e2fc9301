import { agentsSubject } from "../../packages/adapters/openai-agents/test/subject.js";
import { describeGuardrails } from "../guarded.js";

for (const api of ["chat completions", "responses"] as const) {
  describeGuardrails(`OpenAI Agents, ${api}`, (server) => agentsSubject(server, api));
}
