/**
 * Packages that are tested together with the versions of their peers. `companions` are further packages that the tests
 * import, `needs` a program without which the group is skipped. `isNewNode` is set for packages that need a newer Node and
 * do not state it.
 *
 * @typedef {{
 *   packages: string[], peers: string[], tests: string[], companions?: string[], needs?: string, isNewNode?: boolean,
 *   companionsOf?: (versions: Record<string, string>) => string[],
 * }} Group
 */

const agent = ["packages/agent/test/model-contract.test", "packages/agent/test/openai.test"];
const clients = ["packages/adapters/fetch/test/contract-", "packages/adapters/fetch/test/adapter.test"];

/** @type {Group[]} */
export const groups = [
  {
    packages: ["@suite/ai-sdk"],
    peers: ["ai"],
    tests: ["packages/adapters/ai-sdk/test/contract.test"],
    companions: ["zod@4"],
    companionsOf: ({ ai = "" }) => [`@ai-sdk/openai@${ai.startsWith("6.") ? 3 : 4}`],
  },
  {
    packages: ["@suite/langchain"],
    peers: ["langchain", "@langchain/core", "@langchain/langgraph"],
    tests: ["packages/adapters/langchain/test/contract.test"],
    companions: ["@langchain/openai@1.2", "zod@4"],
  },
  {
    packages: ["@suite/openai-agents"],
    peers: ["@openai/agents"],
    tests: ["packages/adapters/openai-agents/test/contract.test"],
    isNewNode: true,
    companions: ["zod@4"],
  },
  {
    packages: ["@suite/mcp", "@suite/tools"],
    peers: ["@modelcontextprotocol/sdk", "@modelcontextprotocol/client", "@modelcontextprotocol/server"],
    tests: [
      "packages/adapters/mcp/test/contract.test",
      "packages/adapters/mcp/test/version2.test",
      "packages/plugins/tools/test/mcp",
    ],
    companions: ["zod@4"],
  },
  {
    packages: ["@suite/agent", "@suite/fetch", "@suite/speech"],
    peers: ["openai", "@anthropic-ai/sdk"],
    tests: [...agent, ...clients],
    companions: ["zod@4"],
  },
  {
    packages: ["@suite/audit-keys"],
    peers: ["@aws-sdk/client-kms", "@google-cloud/kms"],
    tests: ["packages/plugins/audit-keys/test/kms.test"],
  },
  {
    packages: ["@suite/audit-followers", "@suite/store-postgres"],
    peers: ["pg"],
    tests: ["integration-tests/test/stores/postgres.test"],
  },
  {
    packages: ["@suite/store-redis"],
    peers: ["redis"],
    tests: ["integration-tests/test/stores/redis.test"],
    needs: "redis-server",
  },
];

/** Peers that other commands test: two are compiled when they are installed, and `test:installed` has OpenTelemetry's. */
export const elsewhere = ["re2", "pkcs11js", "@opentelemetry/api"];
