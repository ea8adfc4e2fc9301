import { agentsSubject } from "../../packages/adapters/openai-agents/test/subject.js";
import { describeResilience } from "../resilient.js";

for (const api of ["chat completions", "responses"] as const) {
  describeResilience(`OpenAI Agents, ${api}`, (server) => agentsSubject(server, api), { status: 418 });
}
