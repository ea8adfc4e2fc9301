import { project } from "../../jest.config.mjs";

export default project("**/integration-tests/runtimes/*.test.ts");
