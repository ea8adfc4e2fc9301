import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { afterAll, describe, expect, it, jest } from "@jest/globals";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type * as agents from "@openai/agents";
import { createAgent, withPlugins as toAgent } from "@suite/agent";
import { withPlugins as toAiSdk } from "@suite/ai-sdk";
import { audit, fileSink } from "@suite/audit";
import { withPlugins as toClient } from "@suite/fetch";
import { withPlugins as toLangchain } from "@suite/langchain";
import { withPlugins as toMcp } from "@suite/mcp";
import type { withPlugins as toOpenaiAgents } from "@suite/openai-agents";
import { pii } from "@suite/pii";
import { tracing } from "@suite/tracing";
import * as ai from "ai";
import * as langchain from "langchain";
import OpenAI from "openai";

jest.spyOn(console, "warn").mockImplementation(() => {});
const dir = mkdtempSync(join(tmpdir(), "three-"));
afterAll(() => rmSync(dir, { recursive: true }));

/** The three plugins as a user writes them; their types say which hooks they require. */
const three = () => [tracing(), pii({ email: "redact" }), audit({ sink: fileSink({ dir }) })] as const;
const model = { name: "m", generate: () => Promise.reject(new Error("unused")), async *stream() {} };

describe("tracing, pii and audit, as they come, are taken", () => {
  it("by @suite/agent", () => {
    expect(toAgent(createAgent({ name: "support", model }), three())).toBeDefined();
  });
  it("by the AI SDK", () => {
    expect(typeof toAiSdk(ai, three()).streamText).toBe("function");
  });
  it("by LangChain", () => {
    expect(typeof toLangchain(langchain, three()).createAgent).toBe("function");
  });
  it("by MCP, at either end", () => {
    expect(toMcp(new Client({ name: "a", version: "1" }), three())).toBeInstanceOf(Client);
    expect(toMcp(new McpServer({ name: "a", version: "1" }), three())).toBeInstanceOf(McpServer);
  });
  it("by the clients of models", () => {
    expect(toClient(new OpenAI({ apiKey: "none" }), three())).toBeInstanceOf(OpenAI);
    expect(toClient(new Anthropic({ apiKey: "none" }), three())).toBeInstanceOf(Anthropic);
  });
  it("by the OpenAI Agents SDK, which this Node cannot load: by its types", () => {
    const attach = (to: typeof toOpenaiAgents, sdk: typeof agents) => to(sdk, three()).run;
    expect(attach).toBeInstanceOf(Function);
  });
});
