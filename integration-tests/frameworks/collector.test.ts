import { jest } from "@jest/globals";
import { aiSubject } from "../../packages/adapters/ai-sdk/test/subject.js";
import { useServer } from "../../packages/adapters/fetch/test/support.js";
import { agentsSubject } from "../../packages/adapters/openai-agents/test/subject.js";
import { fetchPrograms } from "../collector/frameworks/fetch.js";
import { programsOf } from "../collector/frameworks/programs.js";
import { describeSwept, errors } from "../collector/frameworks/sweep.js";

// `../collector/frameworks.test.ts` once more, with the frameworks of this folder.
jest.setTimeout(120_000);
// What the AI SDK says of a model that failed.
jest.spyOn(console, "warn").mockImplementation(() => {});
jest.spyOn(console, "error").mockImplementation(() => {});

const on = useServer();
const server = () => on.server;

describeSwept(
  "the AI SDK, version 7",
  { ...programsOf("functions", aiSubject(server, "functions")), ...programsOf("agent", aiSubject(server, "agent")) },
  {
    spans: 500,
    values: errors("ERR_MIDDLEWARE_TERMINATED", "denied", "tool_error"),
  },
);
describeSwept(
  "OpenAI Agents",
  {
    ...programsOf("chat completions", agentsSubject(server, "chat completions")),
    ...programsOf("responses", agentsSubject(server, "responses")),
  },
  {
    spans: 300,
    values: errors("APIError", "APIUserAbortError", "TypeError", "cancelled", "denied"),
  },
);
describeSwept("the clients of openai and Anthropic, of now", fetchPrograms(on), {
  spans: 51,
  values: errors("ERR_FETCH_REFUSED"),
});
