import { project, testTimeout } from "../../jest.config.mjs";

const resolver = "<rootDir>/integration-tests/frameworks/resolver.cjs";

/** The adapters' own tests once more, with the frameworks of this folder, on the Node that these need; and what a collector gets. */
export default {
  testTimeout,
  projects: [
    { ...project("**/packages/adapters/{ai-sdk,openai-agents,fetch}/test/**/*.test.ts"), resolver },
    { ...project("**/integration-tests/frameworks/*.test.ts", "<rootDir>/scripts/collector.mjs"), resolver },
  ],
};
