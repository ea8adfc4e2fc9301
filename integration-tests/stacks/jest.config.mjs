import { alone } from "../../jest.config.mjs";

export default alone("**/integration-tests/stacks/*.test.ts", "<rootDir>/integration-tests/stacks/setup.mjs");
