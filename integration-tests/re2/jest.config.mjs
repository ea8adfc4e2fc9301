import { project, testTimeout } from "../../jest.config.mjs";

export default { ...project("**/integration-tests/re2/*.test.ts"), testTimeout };
