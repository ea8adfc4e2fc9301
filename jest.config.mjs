import { availableParallelism } from "node:os";
import { entriesToSources, swcOptions } from "./scripts/jest/sources.mjs";

/** Each public entry stands for its source. */
const entries = Object.fromEntries(
  entriesToSources().map(({ specifier, source }) => [
    `^${specifier.replaceAll(/[.\\/]/g, "\\$&")}$`,
    `<rootDir>/${source}`,
  ]),
);

/**
 * Tests of some folders, and what must be there before the first of them runs. Another project's tests do not wait for it.
 *
 * @param {string} testMatch
 * @param {string} [globalSetup]
 */
export const project = (testMatch, globalSetup) => ({
  rootDir: import.meta.dirname,
  testEnvironment: "node",
  setupFiles: ["<rootDir>/scripts/jest/setup.mjs"],
  testMatch: [testMatch],
  ...(globalSetup && { globalSetup }),
  testPathIgnorePatterns: ["/node_modules/", "/dist/", "/fixtures/"],
  extensionsToTreatAsEsm: [".ts"],
  moduleNameMapper: { ...entries, "^(\\.{1,2}/.*)\\.js$": ["$1.js", "$1.ts"] },
  transform: { "\\.ts$": ["@swc/jest", { ...swcOptions, sourceMaps: "inline" }] },
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

/**
 * Test files of a process share its context, whose modules Node loads: packages' sources and what they import once, tests and what
 * helps them for each file. What a file leaves behind is taken back (`scripts/jest/environment.mjs`).
 */
const shared = {
  runtime: "<rootDir>/scripts/jest/runtime.mjs",
  testEnvironment: "<rootDir>/scripts/jest/environment.mjs",
  transform: {},
};

// The framework of this adapter needs a newer Node: `npm run test:frameworks`.
const elsewhere = "/packages/adapters/openai-agents/";

// What takes many seconds a file, or starts databases: `npm run test:slow`.
const slow = "/test/(slow|stores)/";

// What a process does once, or reads when a module is loaded: each file has all modules to itself.
const isolated = "/test/isolated/";

const ignored = [...project("").testPathIgnorePatterns, elsewhere, slow];

export default {
  testTimeout,
  // Half of its time a test file waits, for a timer or another process: with one process more than there are cores, none is idle.
  maxWorkers: availableParallelism() + 1,
  // What modules take is taken once. What grows beyond it is garbage, and starting anew costs seconds.
  workerIdleMemoryLimit: "1GB",
  projects: [
    { ...project("**/test/**/*.test.ts"), ...shared, testPathIgnorePatterns: [...ignored, isolated] },
    { ...project(`**${isolated}*.test.ts`), testPathIgnorePatterns: ignored },
  ],
};
