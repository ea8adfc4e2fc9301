/** The part of a test runner that the contract tests use: that of jest, vitest, bun, or three lines of your code. */
export interface Runner {
  describe(name: string, body: () => void): void;
  it: {
    (name: string, body: () => Promise<void>): void;
    skip?(name: string, body: () => Promise<void>): void;
  };
}
