import { afterAll, beforeAll, describe } from "@jest/globals";
import { type ModelServer, type Subject, startModelServer } from "@suite/testkit";

/** A framework to hold plugins in, on a model server that a test starts. */
export type SubjectOf = (server: () => ModelServer) => Subject;

/** The parts that a test of plugins in one framework has. */
export interface InFramework {
  readonly subject: Subject;
  /** The server, while tests run. */
  readonly server: () => ModelServer;
  /** Whether answers are streamed. */
  readonly stream: boolean;
}

/** Describes plugins in one framework, whole and streamed, on a model server of its own. */
export function describeInFramework(title: string, subjectOf: SubjectOf, body: (within: InFramework) => void): void {
  describe(title, () => {
    let server: ModelServer;
    beforeAll(async () => {
      server = await startModelServer();
    });
    afterAll(() => server.close());
    const subject = subjectOf(() => server);
    describe.each([false, true])("streamed: %p", (stream) => body({ subject, server: () => server, stream }));
  });
}
