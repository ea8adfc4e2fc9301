import { project, testTimeout } from "../../jest.config.mjs";

/** Tests of packages with the versions of their peers that `scripts/versions.mjs` has installed. */
export default {
  ...project("**/test/**/*.test.ts"),
  // Other work may run on the machine at the same time.
  testTimeout: 4 * testTimeout,
  maxWorkers: 1,
  resolver: "<rootDir>/integration-tests/versions/resolver.cjs",
};
