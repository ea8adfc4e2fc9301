import { describe, it } from "@jest/globals";
import { describeAdapter } from "@suite/testkit";
import { useModelServer } from "../../../testkit/test/use-model-server.js";
import { samplingSubject } from "./subject.js";

describeAdapter("MCP, sampling", samplingSubject(useModelServer()), { describe, it });
