import { describe, expect, it, jest } from "@jest/globals";
import * as agents from "@openai/agents";
import { definePlugin } from "@suite/core";
import { z } from "zod";
import { withPlugins } from "../src/index.js";
import { called, recorder, said, scripted } from "./support.js";

jest.spyOn(console, "warn").mockImplementation(() => {});

/** A plugin that keeps which tools were called. */
function named() {
  const names: string[] = [];
  const plugin = definePlugin({
    name: "named",
    async tool({ request }, callNext) {
      names.push(request.tool.name);
      await callNext();
    },
  });
  return { plugin, names };
}

const look = () => agents.tool({ name: "look", description: "", parameters: z.object({}), execute: async () => "7" });

/** An agent whose model calls this tool, and is done. */
const agentOf = (name: string, tools: agents.Tool[] = []) => ({
  name: "desk",
  model: scripted([called(name)], [said("Done.")]).model,
  tools,
});

const server = {
  ...{ name: "files", cacheToolsList: false, connect: async () => {}, close: async () => {} },
  invalidateToolsCache: async () => {},
  listTools: async () => [{ name: "look", inputSchema: { type: "object", properties: {}, required: [] } }],
  callTool: async () => [{ type: "text", text: "content" }],
} as unknown as agents.MCPServer;

describe("what the SDK knows of a tool", () => {
  it("is kept: whether a call needs an approval is asked with the defaults of its schema, within a run and after", async () => {
    const seen: unknown[] = [];
    const pay = agents.tool({
      name: "pay",
      description: "",
      parameters: z.object({ amount: z.number().default(1000) }),
      needsApproval: async (_, { amount }) => {
        seen.push(amount);
        return amount > 100;
      },
      execute: async () => "Paid.",
    });
    for (const run of [withPlugins(agents, [recorder().plugin]).run, agents.run]) {
      const { interruptions } = await run(new agents.Agent(agentOf("pay", [pay])), "Hi");
      expect(interruptions).toHaveLength(1);
    }
    expect(seen).toEqual([1000, 1000]);
  });

  it("is kept: of which MCP server it is, in the state of a run", async () => {
    const { run } = withPlugins(agents, [recorder().plugin]);
    const agent = new agents.Agent({ ...agentOf("look"), mcpServers: [server], toolUseBehavior: "stop_on_first_tool" });
    const { state } = await run(agent, "Hi");
    expect(state.toString()).toContain('"serverName":"files"');
  });

  it("is looked for without a trace", () => {
    expect(String(WeakMap.prototype.set)).toContain("[native code]");
  });
});

describe("a tool", () => {
  it("that is a copy of another is called under its own name", async () => {
    const { plugin, names } = named();
    const { run } = withPlugins(agents, [plugin]);
    const one = look();
    await run(new agents.Agent(agentOf("look", [one])), "Hi");
    await run(new agents.Agent(agentOf("see", [{ ...one, name: "see" }])), "Hi");
    expect(names).toEqual(["look", "see"]);
  });

  it("that the class of an agent adds is called through the layers, also after a handoff", async () => {
    class Looking extends agents.Agent {
      override getAllTools = async () => [look()] as never;
    }
    class Reading extends agents.Agent {
      override async getAllTools() {
        return [look()] as never;
      }
    }
    const { plugin, names } = named();
    const { run } = withPlugins(agents, [plugin]);
    await run(new Looking(agentOf("look")), "Hi");
    const reading = new Reading({ ...agentOf("look"), name: "reading" });
    const first = new agents.Agent({
      name: "first",
      model: scripted([called("transfer_to_reading")]).model,
      handoffs: [reading],
    });
    await run(first, "Hi");
    expect(names).toEqual(["look", "look"]);
  });
});
