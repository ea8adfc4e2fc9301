import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

// Lies in the root of the unpacked SDK. The tests import the released packages, except for those parts of the
// repository that are not released.
const root = dirname(fileURLToPath(import.meta.url));
const source = (path) => join(root, path);
const wrapped = process.env.SUITE === undefined ? [] : ["client", "server"];

export default {
  root,
  resolve: {
    alias: [
      ...wrapped.map((name) => ({
        find: new RegExp(`^@modelcontextprotocol/${name}$`),
        replacement: source(`suite-${name}.mjs`),
      })),
      { find: /^bare:(client|server)$/, replacement: source("node_modules/@modelcontextprotocol/$1/dist/index.mjs") },
      {
        find: /^@modelcontextprotocol\/core-internal\/validators\/(.*)$/,
        replacement: source("packages/core-internal/src/validators/$1Provider.ts"),
      },
      { find: /^@modelcontextprotocol\/core-internal$/, replacement: source("packages/core-internal/src/index.ts") },
      { find: /^@modelcontextprotocol\/test-helpers$/, replacement: source("test/helpers/src/index.ts") },
    ],
  },
  test: {
    globals: true,
    environment: "node",
    include: ["test/e2e/scenarios/**/*.test.ts", "test/integration/test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/bun.test.ts", "**/deno.test.ts", "**/cloudflareWorkers.test.ts"],
    reporters: ["json"],
    maxWorkers: 1,
    testTimeout: 20_000,
  },
};
