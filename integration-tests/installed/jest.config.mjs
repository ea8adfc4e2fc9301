import { alone } from "../../jest.config.mjs";

export default alone("**/integration-tests/installed/*.test.ts");
