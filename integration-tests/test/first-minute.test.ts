import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, jest } from "@jest/globals";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import * as aiSdk from "@suite/ai-sdk";
import { audit, fileSink } from "@suite/audit";
import * as clients from "@suite/fetch";
import * as langchain from "@suite/langchain";
import * as mcp from "@suite/mcp";
import { pii } from "@suite/pii";
import { tracing } from "@suite/tracing";
import * as ai from "ai";

const dir = mkdtempSync(join(tmpdir(), "first-minute-"));
afterAll(() => rmSync(dir, { recursive: true }));

const suite = [tracing(), pii({ email: "redact" }), audit({ sink: fileSink({ dir }) })] as const;

describe("the suite's own plugins print nothing when they are attached", () => {
  const attach: Record<string, () => unknown> = {
    "@suite/ai-sdk": () => aiSdk.withPlugins(ai, suite),
    "pluginMiddleware of @suite/ai-sdk": () => aiSdk.pluginMiddleware(suite),
    "pluginMiddleware of @suite/langchain": () => langchain.pluginMiddleware(suite),
    "@suite/fetch": () => clients.fetchWithPlugins(suite),
    "@suite/mcp": () => mcp.withPlugins(new Client({ name: "desk", version: "1.0.0" }), suite),
  };
  it.each(Object.entries(attach))("%s", (_name, wrap) => {
    const spies = (["warn", "error", "log"] as const).map((name) =>
      jest.spyOn(console, name).mockImplementation(() => {}),
    );
    try {
      wrap();
      expect(spies.flatMap((spy) => spy.mock.calls)).toEqual([]);
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  });
});

const embeddings = ["tracing.embedding", "audit.embedding", "pii.embedding"];
const searches = ["tracing.retrieval", "audit.retrieval"];

describe("what an adapter does not serve of the suite's own plugins is told on request", () => {
  it.each([
    ["@suite/ai-sdk", aiSdk.withPlugins, ["tracing.compressContext", ...searches]],
    ["@suite/langchain", langchain.withPlugins, ["tracing.compressContext"]],
    [
      "@suite/fetch",
      clients.withPlugins,
      [
        "tracing.agent",
        "tracing.tool",
        "tracing.humanInput",
        "tracing.compressContext",
        "audit.agent",
        "audit.tool",
        "audit.humanInput",
        ...searches,
      ],
    ],
    [
      "@suite/mcp",
      mcp.withPlugins,
      ["tracing.agent", "tracing.compressContext", "audit.agent", ...embeddings, ...searches],
    ],
  ] as const)("%s", (_name, { unserved }, expected) => {
    expect([...unserved(suite)].sort()).toEqual([...expected].sort());
  });
});
