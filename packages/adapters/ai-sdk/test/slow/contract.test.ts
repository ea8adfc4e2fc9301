import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, it } from "@jest/globals";
import { describeAdapter, type ModelServer, startModelServer } from "@suite/testkit";
import { aiSubject } from "../subject.js";

// As it is installed: this package is tested with either major.
const major = createRequire(import.meta.url)("ai/package.json").version.split(".")[0];

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

describeAdapter(
  `the AI SDK ${major}'s agent`,
  aiSubject(() => server, "agent"),
  { describe, it },
);
