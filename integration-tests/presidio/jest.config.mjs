import { alone } from "../../jest.config.mjs";

export default alone("**/integration-tests/presidio/*.test.ts", "<rootDir>/scripts/presidio.mjs");
