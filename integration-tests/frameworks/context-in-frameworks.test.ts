import { agentsSubject } from "../../packages/adapters/openai-agents/test/subject.js";
import { describeContext } from "../contexted.js";

for (const api of ["chat completions", "responses"] as const) {
  describeContext(`OpenAI Agents, ${api}`, (server) => agentsSubject(server, api));
}
