import { afterAll, afterEach, beforeAll, describe, it } from "@jest/globals";
import { describeAdapter, useModelServer } from "@suite/testkit";
import { agentSubject, anthropicAt, openaiResponsesAt } from "../subject.js";

const server = useModelServer({ beforeAll, afterEach, afterAll });

describeAdapter("@suite/agent with the client of Anthropic", agentSubject(server, anthropicAt), { describe, it });

describeAdapter("@suite/agent with the client of OpenAI's responses API", agentSubject(server, openaiResponsesAt), {
  describe,
  it,
});
