import { alone } from "../../jest.config.mjs";

export default alone("**/integration-tests/{collector,exit,followers}/*.test.ts", "<rootDir>/scripts/collector.mjs");
