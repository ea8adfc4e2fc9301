/** A framework with an adapter. */
export interface Framework {
  /** The package of the framework that a project depends on. */
  readonly name: string;
  readonly adapter: string;
  /** The versions that the adapter supports, as in its manifest. */
  readonly versions: string;
}

/** Packages of frameworks without an adapter, with the supported package to use instead. */
export const unserved: Readonly<Record<string, string>> = {
  "@modelcontextprotocol/client": "@modelcontextprotocol/sdk",
  "@modelcontextprotocol/server": "@modelcontextprotocol/sdk",
};

/** The frameworks. A framework comes before those it builds on: a project with the agents SDK also has the client. */
export const frameworks: readonly Framework[] = [
  { name: "ai", adapter: "@suite/ai-sdk", versions: "^6.0.231 || ^7.0.32" },
  { name: "langchain", adapter: "@suite/langchain", versions: "^1.5.14" },
  { name: "@langchain/core", adapter: "@suite/langchain", versions: "^1.2.13" },
  { name: "@openai/agents", adapter: "@suite/openai-agents", versions: ">=0.19.0 <1" },
  { name: "@modelcontextprotocol/sdk", adapter: "@suite/mcp", versions: "^1.32.0" },
  { name: "openai", adapter: "@suite/fetch", versions: "^6.49.0 || ^7.0.0" },
  { name: "@anthropic-ai/sdk", adapter: "@suite/fetch", versions: "^1.11.0" },
];
