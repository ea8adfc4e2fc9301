import { afterAll, beforeAll, describe, it } from "@jest/globals";
import { describeAdapter, type ModelServer, startModelServer } from "@suite/testkit";
import { agentSubject, openaiAt } from "./subject.js";

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

describeAdapter(
  "@suite/agent",
  agentSubject(() => server, openaiAt),
  { describe, it },
);
