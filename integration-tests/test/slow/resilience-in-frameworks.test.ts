import { createOpenAI } from "@ai-sdk/openai";
import { openai } from "@suite/agent/openai";
import { aiSubject } from "../../../packages/adapters/ai-sdk/test/subject.js";
import { langchainSubject } from "../../../packages/adapters/langchain/test/subject.js";
import { chatModel } from "../../../packages/adapters/langchain/test/support.js";
import { agentSubject, anthropicAt } from "../../../packages/agent/test/subject.js";
import { describeResilience } from "../../resilient.js";

const at = ({ url }: { readonly url: string }) => ({ apiKey: "none", baseURL: `${url}/v1` });
const clientOf = (server: { readonly url: string }) => openai("other", at(server));

describeResilience("@suite/agent, OpenAI", (server) => agentSubject(server), { clientOf });
describeResilience("@suite/agent, Anthropic", (server) => agentSubject(server, anthropicAt), { clientOf });
for (const entry of ["functions", "agent"] as const) {
  describeResilience(`the AI SDK's ${entry}`, (server) => aiSubject(server, entry), {
    unnamed: "its model was given as an object",
    clientOf: (server) => createOpenAI(at(server)).responses("other"),
  });
}
describeResilience("LangChain", langchainSubject, { clientOf: (server) => chatModel(server, { model: "other" }) });
