import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { createAgent } from "@suite/agent";
import type { Plugin } from "@suite/core";
import type { ModelAnswer, Observed } from "@suite/testkit";
import { toolEmulator } from "@suite/tools";
import { mcpTools } from "@suite/tools/mcp";
import { fileSearch, shell } from "@suite/tools/node";
import { z } from "zod";
import { scripted } from "../packages/agent/test/support.js";
import { isThere } from "../scripts/needs.mjs";
import { describeInFramework, type SubjectOf } from "./in-framework.js";

const hasPipes = isThere("mkfifo", "the tests of shells");

const usage = { inputTokens: 10, outputTokens: 5 };
let ids = 0;
const calls = (name: string, given: object): ModelAnswer => ({
  toolCalls: [{ id: `c${++ids}`, name, arguments: given }],
  usage,
});
const says = (text: string): ModelAnswer => ({ text, usage });

/** A process is gone, a moment after the run has ended. */
async function ended(pid: number): Promise<void> {
  const until = Date.now() + 2000;
  const there = (): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  while (there() && Date.now() < until) await new Promise((done) => setTimeout(done, 10));
  expect(there()).toBe(false);
}

/** Holds the plugins of tools in one framework: the model is offered their tools, and what they give goes back to it. */
export function describeTools(name: string, subjectOf: SubjectOf): void {
  describeInFramework(`tools in ${name}`, subjectOf, ({ subject, stream }) => {
    const run = (plugins: readonly Plugin[], answers: readonly ModelAnswer[]): Promise<Observed> =>
      subject.run({ plugins, answers, input: "the question", tools: [], stream });
    let folder: string;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "tooled-"));
      writeFileSync(join(folder, "orders.txt"), "order 17: shipped\n");
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    it("fileSearch finds files, and lines in them", async () => {
      const search = fileSearch({ root: folder });
      const grep = calls("grep", { pattern: "order \\d+", mode: "content" });
      const seen = await run([search], [calls("glob", { pattern: "*.txt" }), grep, says("done")]);
      expect(seen.error).toBeUndefined();
      expect(seen.text).toContain("done");
      expect(seen.prompts[1]).toContain("/orders.txt");
      expect(seen.prompts[2]).toContain("/orders.txt:1:order 17: shipped");
      expect(seen.prompts.join()).not.toContain(folder);
    });

    (hasPipes ? it : it.skip)("shell keeps one bash for the run, and leaves nothing of it", async () => {
      const first = calls("shell", { command: "x=17; printf 'order %s' $x; printf %s $$ >pid" });
      const bash = shell({ policy: "host", workspace: folder });
      const second = calls("shell", { command: 'echo "again $((x + 1))"' });
      const seen = await run([bash], [first, second, says("done")]);
      expect(seen.error).toBeUndefined();
      expect(seen.text).toContain("done");
      expect(seen.prompts[1]).toContain("order 17");
      expect(seen.prompts[2]).toContain("again 18");
      const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
      await ended(pid);
    });

    (subject.offers.has("ask") ? it : it.skip)(
      "toolEmulator lets the run's model play a tool, which is not run",
      async () => {
        let ran = 0;
        const execute = () => `really ${++ran}`;
        const tools = [
          { name: "find_order", description: "finds", parameters: { type: "object", properties: {} }, execute },
        ];
        const answers = [calls("find_order", {}), says("played: shipped"), says("done")];
        const attempt = { plugins: [toolEmulator()], answers, input: "the question", tools, stream };
        const seen = await subject.run(attempt);
        expect(seen.error).toBeUndefined();
        expect(seen.text).toContain("done");
        expect(ran).toBe(0);
        expect(seen.prompts).toHaveLength(3);
        expect(seen.prompts[2]).toContain("played: shipped");
      },
    );

    it("mcpTools offers the tools of a server, and what they give is that of a call", async () => {
      const server = new McpServer({ name: "shop", version: "1.0.0" });
      const inputSchema = { id: z.string() };
      server.registerTool("find_order", { description: "finds", inputSchema }, ({ id }) => ({
        content: [{ type: "text", text: `order ${id}: shipped` }],
      }));
      server.registerTool("pay", {}, () => ({ content: [{ type: "text", text: "no money left" }], isError: true }));
      const client = new Client({ name: "desk", version: "1.0.0" });
      const [here, there] = InMemoryTransport.createLinkedPair();
      await Promise.all([server.connect(there), client.connect(here)]);
      const failures: unknown[] = [];
      const watch: Plugin = {
        name: "watch",
        async tool(invocation, callNext) {
          await callNext();
          failures.push(invocation.result?.isError ?? false);
        },
      };
      const answers = [calls("mcp_find_order", { id: "17" }), calls("mcp_pay", {}), says("done")];
      const seen = await run([watch, mcpTools(client)], answers);
      await client.close();
      expect(seen.error).toBeUndefined();
      expect(seen.text).toContain("done");
      expect(seen.prompts[0]).toContain("mcp_find_order");
      expect(seen.prompts[1]).toContain("order 17: shipped");
      expect(seen.prompts[2]).toContain("no money left");
      expect(failures).toEqual([false, true]);
    });

    it("an agent of @suite/agent is a tool, by a plugin that offers it", async () => {
      const helper = createAgent({ name: "helper", model: scripted("the helper says 42") });
      const offers: Plugin = { name: "helper", tools: () => [helper.asTool({ description: "Helps." })] };
      const seen = await run([offers], [calls("helper", { prompt: "what is it?" }), says("done")]);
      expect(seen.error).toBeUndefined();
      expect(seen.text).toContain("done");
      expect(seen.prompts[1]).toContain("the helper says 42");
    });

    const suspends = subject.offers.has("approval");
    (suspends && hasPipes ? it : it.skip)("shell goes on where it was when a suspended run does", async () => {
      const parameters = { type: "object", properties: {} };
      const pay = { name: "pay", description: "pays", parameters, execute: () => "paid 17", needsApproval: true };
      const bash = shell({ policy: "host", workspace: folder });
      const asks = { toolCalls: [{ id: "p", name: "pay", arguments: {} }], usage };
      const answers = [
        calls("shell", { command: "x=17; printf %s $$ >pid" }),
        asks,
        calls("shell", { command: 'echo "again $x"' }),
        says("done"),
      ];
      const attempt = { plugins: [bash], answers, input: "the question", tools: [pay], stream };
      const waiting = await subject.run(attempt);
      expect(waiting.pending).toHaveLength(1);
      const decisions = (waiting.pending ?? []).map(({ id }) => ({ id, type: "approve" as const }));
      const seen = await waiting.resume?.(decisions);
      expect(seen?.error).toBeUndefined();
      expect(seen?.text).toContain("done");
      expect(seen?.prompts.at(-1)).toContain("again 17");
      const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
      await ended(pid);
    });
  });
}
