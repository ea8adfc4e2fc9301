import { TestkitError } from "../errors.js";
import { type ModelServer, startModelServer } from "./server.js";

/** The hooks of a test runner: jest's, vitest's, or those of `node:test`. */
export interface RunnerHooks {
  beforeAll(hook: () => Promise<void>): unknown;
  afterEach(hook: () => void): unknown;
  afterAll(hook: () => Promise<void> | undefined): unknown;
}

/**
 * Provides a model server for the tests of one file: started before the first, reset after each, closed after the last.
 *
 * @example
 * ```ts
 * import { afterAll, afterEach, beforeAll } from "@jest/globals";
 * const server = useModelServer({ beforeAll, afterEach, afterAll });
 * it("asks", async () => { server().script({ text: "Hello." }); … });
 * ```
 */
export function useModelServer({ beforeAll, afterEach, afterAll }: RunnerHooks): () => ModelServer {
  let server: ModelServer | undefined;
  beforeAll(async () => {
    server = await startModelServer();
  });
  afterEach(() => server?.reset());
  afterAll(() => server?.close());
  return () => {
    if (server === undefined) {
      throw new TestkitError(
        "ERR_TESTKIT_INVALID_SUBJECT",
        "The model server starts before the first test. Use it inside a test.",
      );
    }
    return server;
  };
}
