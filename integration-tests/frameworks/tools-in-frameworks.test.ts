import { agentsSubject } from "../../packages/adapters/openai-agents/test/subject.js";
import { describeTools } from "../tooled.js";

for (const api of ["chat completions", "responses"] as const) {
  describeTools(`OpenAI Agents, ${api}`, (server) => agentsSubject(server, api));
}
