import { agentsSubject } from "../../packages/adapters/openai-agents/test/subject.js";
import { providerOf } from "../../packages/adapters/openai-agents/test/support.js";
import { describeResilience } from "../resilient.js";

for (const api of ["chat completions", "responses"] as const) {
  describeResilience(`OpenAI Agents, ${api}`, (server) => agentsSubject(server, api), {
    status: 418, // openai's client tries 503 again by itself
    clientOf: (server) => providerOf(server, api).getModel("other"),
  });
}
