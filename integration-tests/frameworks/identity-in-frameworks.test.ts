import { agentsSubject } from "../../packages/adapters/openai-agents/test/subject.js";
import { describeIdentity } from "../identified.js";

for (const api of ["chat completions", "responses"] as const) {
  describeIdentity(`OpenAI Agents, ${api}`, "packages/adapters/openai-agents", (server) => agentsSubject(server, api));
}
