import { afterAll, afterEach, beforeAll, describe, it } from "@jest/globals";
import { describeAdapter, useModelServer } from "@suite/testkit";
import { agentSubject, openaiAt } from "./subject.js";

const server = useModelServer({ beforeAll, afterEach, afterAll });

describeAdapter("@suite/agent", agentSubject(server, openaiAt), { describe, it });
