import { agentsSubject } from "../../packages/adapters/openai-agents/test/subject.js";
import { describeSpeech } from "../spoken.js";

for (const api of ["chat completions", "responses"] as const) {
  describeSpeech(`OpenAI Agents, ${api}`, (server) => agentsSubject(server, api));
}
