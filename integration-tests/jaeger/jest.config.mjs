import { project, testTimeout } from "../../jest.config.mjs";

export default { ...project("**/integration-tests/jaeger/*.test.ts", "<rootDir>/scripts/jaeger.mjs"), testTimeout };
