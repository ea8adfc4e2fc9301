import { agentsSubject } from "../../packages/adapters/openai-agents/test/subject.js";
import { describeIdentity } from "../identified.js";

for (const api of ["chat completions", "responses"] as const) {
  describeIdentity(`OpenAI Agents, ${api}`, (server) => agentsSubject(server, api));
}
