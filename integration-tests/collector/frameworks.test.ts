import { jest } from "@jest/globals";
import { aiSubject } from "../../packages/adapters/ai-sdk/test/subject.js";
import { useServer } from "../../packages/adapters/fetch/test/support.js";
import { langchainSubject } from "../../packages/adapters/langchain/test/subject.js";
import { samplingSubject } from "../../packages/adapters/mcp/test/subject.js";
import { agentSubject } from "../../packages/agent/test/subject.js";
import { fetchPrograms } from "./frameworks/fetch.js";
import { mcpPrograms, mcpPrograms2 } from "./frameworks/mcp.js";
import { programsOf } from "./frameworks/programs.js";
import { describeSwept, errors } from "./frameworks/sweep.js";

// Everything that a framework has, some hundred runs: ten seconds where the machine has nothing else to do.
jest.setTimeout(300_000);
// What the AI SDK says of a model that failed.
jest.spyOn(console, "warn").mockImplementation(() => {});
jest.spyOn(console, "error").mockImplementation(() => {});

const on = useServer();
const server = () => on.server;

describeSwept("@suite/agent", programsOf("agent", agentSubject(server)), {
  spans: 300,
  values: errors("ERR_MIDDLEWARE_TERMINATED", "TypeError", "cancelled", "denied", "tool_error"),
});
describeSwept(
  "the AI SDK",
  { ...programsOf("functions", aiSubject(server, "functions")), ...programsOf("agent", aiSubject(server, "agent")) },
  {
    spans: 500, // `tool_error`: a tool layer that answers with failure; `ERR_MIDDLEWARE_TERMINATED`: one that ends the run.
    values: errors("ERR_MIDDLEWARE_TERMINATED", "denied", "tool_error"),
  },
);
describeSwept("LangChain", programsOf("agent", langchainSubject(server)), {
  spans: 250,
  // LangChain takes the error of a cut connection for none: Jest's `Error` is another than that of the runtime.
  values: errors(
    "APIError",
    // A tool layer that ends the run with its reply.
    "ERR_MIDDLEWARE_TERMINATED",
    "TypeError",
    "SuiteError",
    "cancelled",
    "denied",
    "tool_error",
  ),
});
describeSwept("the clients of openai and Anthropic", fetchPrograms(on), {
  spans: 51,
  values: errors("ERR_FETCH_REFUSED"),
});
describeSwept(
  "MCP",
  { ...mcpPrograms, ...mcpPrograms2, ...programsOf("sampling", samplingSubject(server)) },
  // MCP does not say whose model it is that a client asks.
  {
    spans: 120,
    values: [...errors("tool_error", "-32601", "-32602", "-32603", "cancelled"), "gen_ai.provider.name=_OTHER"],
  },
);
