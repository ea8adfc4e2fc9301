/** A framework, and the code that sends its traces to the viewer. */
export interface FirstLines {
  readonly title: string;
  /** The required packages of the suite. */
  readonly packages: readonly string[];
  /** The imports that the two lines need. */
  readonly imports: string;
  /** Returns the two lines: one sends traces to this address, the other wraps the framework with the plugins. */
  readonly lines: (endpoint: string) => string;
}

const setup = 'import { tracing } from "@suite/tracing";\nimport { setupTracing } from "@suite/tracing/node";';

const wrapped = (title: string, adapter: string, imports: string, line: string): FirstLines => ({
  title,
  packages: [adapter, "@suite/tracing"],
  imports: `${imports}\n${setup}`,
  lines: (endpoint) => `setupTracing({ serviceName: "my-agent", endpoint: "${endpoint}" });\n${line}`,
});

const withPlugins = (adapter: string): string => `import { withPlugins } from "${adapter}";`;

/** The frameworks that the suite can trace. */
export const frameworks: readonly FirstLines[] = [
  wrapped(
    "AI SDK",
    "@suite/ai-sdk",
    `import * as ai from "ai";\n${withPlugins("@suite/ai-sdk")}`,
    "const { generateText, streamText } = withPlugins(ai, [tracing()]);",
  ),
  wrapped(
    "LangChain",
    "@suite/langchain",
    `import * as langchain from "langchain";\n${withPlugins("@suite/langchain")}`,
    "const { createAgent } = withPlugins(langchain, [tracing()]);",
  ),
  wrapped(
    "OpenAI Agents",
    "@suite/openai-agents",
    `import * as agents from "@openai/agents";\n${withPlugins("@suite/openai-agents")}`,
    "const { run, Runner } = withPlugins(agents, [tracing()]);",
  ),
  wrapped(
    "MCP",
    "@suite/mcp",
    `import { Client } from "@modelcontextprotocol/sdk/client/index.js";\n${withPlugins("@suite/mcp")}`,
    'const client = withPlugins(new Client({ name: "desk", version: "1.0.0" }), [tracing()]);',
  ),
  wrapped(
    "openai client",
    "@suite/fetch",
    `import OpenAI from "openai";\n${withPlugins("@suite/fetch")}`,
    "const client = withPlugins(new OpenAI(), [tracing()]);",
  ),
  wrapped(
    "Anthropic client",
    "@suite/fetch",
    `import Anthropic from "@anthropic-ai/sdk";\n${withPlugins("@suite/fetch")}`,
    "const client = withPlugins(new Anthropic({ openTelemetry: false }), [tracing()]);",
  ),
  wrapped(
    "@suite/agent",
    "@suite/agent",
    'import { createAgent } from "@suite/agent";\nimport { openai } from "@suite/agent/openai";',
    'const agent = createAgent({ name: "support", model: openai("gpt-5-mini"), plugins: [tracing()] });',
  ),
];
