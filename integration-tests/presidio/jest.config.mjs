import { project, testTimeout } from "../../jest.config.mjs";

export default { ...project("**/integration-tests/presidio/*.test.ts", "<rootDir>/scripts/presidio.mjs"), testTimeout };
