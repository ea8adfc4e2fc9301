/** The part of a test runner that the contract tests use: jest's, vitest's, bun's, or your own three lines. */
export interface Runner {
  describe(name: string, body: () => void): void;
  it: {
    (name: string, body: () => Promise<void>): void;
    skip?(name: string, body: () => Promise<void>): void;
  };
}
