import { availableParallelism } from "node:os";
import { workspaces } from "./scripts/workspaces.mjs";

/** Tests run on the sources: each public entry (`./dist/X.js` in `exports`) stands for its `src/X.ts`. */
function entriesToSources() {
  /** @type {Record<string, string>} */
  const mapper = {};
  for (const { dir, manifest } of workspaces()) {
    for (const [subpath, target] of Object.entries(manifest.exports ?? {})) {
      const file = typeof target === "string" ? target : target.default;
      if (!file.startsWith("./dist/")) continue;
      const specifier = manifest.name + subpath.slice(1);
      const source = file.replace("./dist/", "src/").replace(/\.js$/, ".ts");
      mapper[`^${specifier.replaceAll(/[.\\/]/g, "\\$&")}$`] = `<rootDir>/${dir}/${source}`;
    }
  }
  return mapper;
}

/**
 * Tests of some folders, and what must be there before the first of them runs. Another project's tests do not wait for it.
 *
 * @param {string} testMatch
 * @param {string} [globalSetup]
 */
export const project = (testMatch, globalSetup) => ({
  rootDir: import.meta.dirname,
  testEnvironment: "node",
  setupFiles: ["<rootDir>/scripts/jest-setup.mjs"],
  testMatch: [testMatch],
  ...(globalSetup && { globalSetup }),
  testPathIgnorePatterns: ["/node_modules/", "/dist/", "/fixtures/"],
  extensionsToTreatAsEsm: [".ts"],
  moduleNameMapper: { ...entriesToSources(), "^(\\.{1,2}/.*)\\.js$": ["$1.js", "$1.ts"] },
  transform: {
    "\\.ts$": [
      "@swc/jest",
      {
        jsc: { target: "es2023", parser: { syntax: "typescript" }, experimental: { keepImportAttributes: true } },
        module: { type: "es6" },
        sourceMaps: "inline",
      },
    ],
  },
});

/** The timeout of a test, in milliseconds. It is for machines that have much else to do: no test is about time that passes. */
export const testTimeout = 30_000;
/** Jest leaves one core alone, which on two is half of them, and then runs all tests in one process that only grows. */
const maxWorkers = Math.max(2, availableParallelism() - 1);

/**
 * Modules of a test file are never freed in its process: with more than a gigabyte of them, each collection of garbage
 * takes longer than many a test. A process that has grown so far is replaced after its file.
 */
const workerIdleMemoryLimit = "512MB";

/**
 * The configuration of tests that `npm test` leaves to a command of their own, since they take minutes.
 *
 * @param {string} testMatch
 * @param {string} [globalSetup]
 */
export const alone = (testMatch, globalSetup) => ({
  ...project(testMatch, globalSetup),
  testTimeout,
  maxWorkers,
  workerIdleMemoryLimit,
});

// The framework of this adapter needs a newer Node: `npm run test:frameworks`.
const elsewhere = "/packages/adapters/openai-agents/";

// What takes many seconds a file, or starts databases: `npm run test:slow`.
const slow = "/test/(slow|stores)/";

export default {
  ...alone("**/test/**/*.test.ts"),
  testPathIgnorePatterns: [...project("").testPathIgnorePatterns, elsewhere, slow],
};
