import { agentsSubject } from "../../packages/adapters/openai-agents/test/subject.js";
import { describeRepeated } from "../repeated.js";

for (const api of ["chat completions", "responses"] as const) {
  describeRepeated(`OpenAI Agents, ${api}`, (server) => agentsSubject(server, api));
}
