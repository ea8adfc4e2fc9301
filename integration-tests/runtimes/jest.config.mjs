import { project, testTimeout } from "../../jest.config.mjs";

export default { ...project("**/integration-tests/runtimes/*.test.ts"), testTimeout };
