import { afterEach, describe, expect, it } from "@jest/globals";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { answer, createAgent } from "@suite/agent";
import { approvals, humanInTheLoop } from "@suite/approval";
import type { Plugin } from "@suite/core";
import { toolPolicy } from "@suite/guardrails";
import { memoryStateStore } from "@suite/kit/store";
import { withPlugins } from "@suite/mcp";
import { pii } from "@suite/pii";
import { mcpTools } from "@suite/tools/mcp";
import { z } from "zod";
import { call, scripted, suspended } from "../../packages/agent/test/support.js";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.allSettled(open.splice(0).map((each) => each.close()));
});

/** A client, with plugins of its own where it has some, on a server that books; and what the server was asked. */
async function booking(atClient: readonly Plugin[] = []) {
  const ran: unknown[] = [];
  const server = new McpServer({ name: "desk", version: "1.0.0" });
  server.registerTool("book", { inputSchema: { mail: z.string() } }, async ({ mail }) => {
    ran.push(mail);
    const requestedSchema = { type: "object" as const, properties: { day: { type: "string" as const } } };
    const { action, content } = await server.server.elicitInput({ message: `Which day, ${mail}?`, requestedSchema });
    return { content: [{ type: "text", text: `${action} ${content?.day ?? ""} for ${mail}` }] };
  });
  server.registerTool("pay", {}, () => {
    ran.push("pay");
    return { content: [{ type: "text", text: "paid" }] };
  });
  const plain = new Client({ name: "app", version: "1.0.0" }, { capabilities: { elicitation: { form: {} } } });
  const client = atClient.length === 0 ? plain : withPlugins(plain, atClient);
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
  open.push(client, server);
  return { client, ran };
}

const book = call("1", "mcp_book", { mail: "jane@x.com" });

describe("tools of an MCP server in @suite/agent", () => {
  it("ask a person by the agent's own means, under its guards", async () => {
    const { client, ran } = await booking();
    const asked: string[] = [];
    const agent = createAgent({
      name: "outer",
      model: scripted([book], "Done."),
      plugins: [pii({ email: "redact" }), mcpTools(client, { elicit: "ask" })],
      onHumanInput: (question) => asked.push(question) && "Monday",
    });
    const result = await agent.run("go");
    expect(result.status).toBe("completed");
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatch(/^mcp_book asks: Which day, .* \(day\)$/);
    expect(JSON.stringify(result.messages)).toContain("accept Monday for");
    expect(ran).toHaveLength(1);
  });

  it("suspend the run if no person is available, and continue with the answer", async () => {
    const { client, ran } = await booking();
    const agent = createAgent({
      name: "outer",
      model: scripted([book], "Done."),
      plugins: [mcpTools(client, { elicit: "ask" })],
    });
    const pending = await suspended(agent.run("go"));
    expect(pending.calls[0]).toMatchObject({ reason: "input" });
    const [waiting] = pending.calls;
    if (waiting === undefined) throw new Error("nothing waits");
    const result = await agent.run({ pending, decisions: [answer(waiting, { day: "Friday" })] });
    expect(JSON.stringify(result.messages)).toContain("accept Friday for jane@x.com");
    expect(ran).toHaveLength(2); // the server asks in the middle, and is asked again
  });

  it("are under approvals, policies and redaction as any tool", async () => {
    const { client, ran } = await booking();
    const tools = mcpTools(client, { elicit: () => ({ action: "accept", content: { day: "Monday" } }) });
    const store = memoryStateStore();
    const asked: string[] = [];
    const held = createAgent({
      name: "outer",
      model: scripted([call("1", "mcp_pay", {})], "Done."),
      plugins: [humanInTheLoop({ mcp_pay: true }, { store, ask: ({ id }) => void asked.push(id) }), tools],
    });
    const pending = await suspended(held.run("go"));
    expect(ran).toEqual([]);
    const people = approvals({ store });
    await people.decide(asked[0] ?? "", { decision: "approve", by: "ann" });
    await held.run({ pending, decisions: await people.decisions(pending) });
    expect(ran).toEqual(["pay"]);

    const denied = createAgent({
      name: "outer",
      model: scripted([call("1", "mcp_pay", {})], "Done."),
      plugins: [toolPolicy({ policy: { version: 1, default: "deny" } }), tools],
    });
    await denied.run("go");
    expect(ran).toEqual(["pay"]);

    const guarded = createAgent({
      name: "outer",
      model: scripted([book], "Done."),
      plugins: [pii({ email: "redact" }, { apply: { toolResults: true, toolArguments: true } }), tools],
    });
    const result = await guarded.run("go");
    expect(ran.at(-1)).not.toContain("jane@x.com");
    expect(JSON.stringify(result.messages.at(-2))).not.toContain("jane@x.com");
  });
});
