/** The way to add the plugins to a framework. */
export interface Target {
  /** The package of the framework that a project depends on. */
  readonly framework: string;
  readonly adapter: string;
  /** The modules that export the wrapped names. `default` is the default export. */
  readonly from: Readonly<Record<string, readonly string[]>>;
  /**
   * `module`: the functions of the module are taken from the wrapped module. `made`: the object that `new` or a call
   * creates is wrapped.
   */
  readonly wraps: "module" | "made";
  /** A name for the module if it is imported as a whole. */
  readonly alias: string;
  /** Peers of the adapter that the program does not import. */
  readonly needs?: readonly string[];
}

/** The frameworks that `suite init` supports. If a file uses several, the first in this list is chosen. */
export const targets: readonly Target[] = [
  {
    framework: "ai",
    adapter: "@suite/ai-sdk",
    wraps: "module",
    alias: "ai",
    from: {
      ai: [
        "generateText",
        "streamText",
        "generateObject",
        "streamObject",
        "ToolLoopAgent",
        "Experimental_Agent",
        "embed",
        "embedMany",
      ],
    },
  },
  {
    framework: "langchain",
    adapter: "@suite/langchain",
    wraps: "module",
    alias: "langchain",
    from: { langchain: ["createAgent"] },
    needs: ["@langchain/core", "@langchain/langgraph"],
  },
  {
    framework: "@openai/agents",
    adapter: "@suite/openai-agents",
    wraps: "module",
    alias: "agents",
    from: { "@openai/agents": ["run", "Runner", "tool"] },
  },
  {
    framework: "@suite/agent",
    adapter: "@suite/agent",
    wraps: "made",
    alias: "agent",
    from: { "@suite/agent": ["createAgent"] },
  },
  {
    framework: "@modelcontextprotocol/sdk",
    adapter: "@suite/mcp",
    wraps: "made",
    alias: "mcp",
    from: {
      "@modelcontextprotocol/sdk/client/index.js": ["Client"],
      "@modelcontextprotocol/sdk/server/mcp.js": ["McpServer"],
      "@modelcontextprotocol/sdk/server/index.js": ["Server"],
    },
  },
  {
    framework: "openai",
    adapter: "@suite/fetch",
    wraps: "made",
    alias: "openai",
    from: { openai: ["default", "OpenAI", "AzureOpenAI"] },
  },
  {
    framework: "@anthropic-ai/sdk",
    adapter: "@suite/fetch",
    wraps: "made",
    alias: "anthropic",
    from: { "@anthropic-ai/sdk": ["default", "Anthropic"] },
  },
];
