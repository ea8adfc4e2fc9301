import { afterAll, beforeAll, describe, it } from "@jest/globals";
import { describeAdapter, type ModelServer, startModelServer } from "@suite/testkit";
import { agentSubject, anthropicAt, openaiResponsesAt } from "../subject.js";

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

describeAdapter(
  "@suite/agent with the client of Anthropic",
  agentSubject(() => server, anthropicAt),
  { describe, it },
);

describeAdapter(
  "@suite/agent with the client of OpenAI's responses API",
  agentSubject(() => server, openaiResponsesAt),
  { describe, it },
);
