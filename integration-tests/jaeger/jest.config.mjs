import { alone } from "../../jest.config.mjs";

export default alone("**/integration-tests/jaeger/*.test.ts", "<rootDir>/scripts/jaeger.mjs");
