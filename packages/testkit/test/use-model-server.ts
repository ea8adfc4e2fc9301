import { afterAll, afterEach, beforeAll } from "@jest/globals";
import { type ModelServer, startModelServer } from "@suite/testkit";

/** One server for a test file, empty before each test; it is there once the first test runs. */
export function useModelServer(): () => ModelServer {
  let server: ModelServer | undefined;
  beforeAll(async () => {
    server = await startModelServer();
  });
  afterEach(() => server?.reset());
  afterAll(() => server?.close());
  return () => {
    if (server === undefined) throw new Error("The server starts before the first test.");
    return server;
  };
}
