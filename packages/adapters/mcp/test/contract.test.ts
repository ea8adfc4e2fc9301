import { afterAll, afterEach, beforeAll, describe, it } from "@jest/globals";
import { describeAdapter, useModelServer } from "@suite/testkit";
import { samplingSubject } from "./subject.js";

describeAdapter("MCP, sampling", samplingSubject(useModelServer({ beforeAll, afterEach, afterAll })), { describe, it });
