import { afterAll, beforeAll, describe, it } from "@jest/globals";
import { describeAdapter, type ModelServer, startModelServer } from "@suite/testkit";
import { samplingSubject } from "./subject.js";

let server: ModelServer | undefined;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server?.close());

const started = (): ModelServer => {
  if (server === undefined) throw new Error("The server starts before the first test.");
  return server;
};

describeAdapter("MCP, sampling", samplingSubject(started), { describe, it });
