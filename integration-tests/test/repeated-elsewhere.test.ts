import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { withPlugins } from "@suite/fetch";
import { cache, repairToolCall, retryTool, toolErrors } from "@suite/resilience";
import { type ModelServer, startModelServer } from "@suite/testkit";
import OpenAI from "openai";
import { pair } from "../../packages/adapters/mcp/test/pair.js";

describe("in a client of a model", () => {
  let server: ModelServer;
  beforeAll(async () => {
    server = await startModelServer();
  });
  afterAll(() => server.close());
  const client = (plugins: Parameters<typeof withPlugins>[1]) =>
    withPlugins(new OpenAI({ apiKey: "none", baseURL: `${server.url}/v1`, maxRetries: 0, logLevel: "off" }), plugins);
  const asked = { model: "m", messages: [{ role: "user" as const, content: "go" }] };

  it("cache answers the next request, whole or streamed, and sends none", async () => {
    server.reset();
    server.script({ text: "onion" });
    const { chat } = client([cache({ tenant: "everyone" })]);
    for (const _ of [1, 2]) expect((await chat.completions.create(asked)).choices[0]?.message.content).toBe("onion");
    let text = "";
    for await (const chunk of await chat.completions.create({ ...asked, stream: true })) {
      text += chunk.choices[0]?.delta.content ?? "";
    }
    expect([text, server.requests.length]).toEqual(["onion", 1]);
  });

  it("repairToolCall asks for a call again that is broken", async () => {
    server.reset();
    for (const args of ['{"id":', { id: "7" }]) {
      server.script({ toolCalls: [{ id: "1", name: "add", arguments: args }] });
    }
    const parameters = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };
    const tools = [{ type: "function" as const, function: { name: "add", parameters } }];
    const { choices } = await client([repairToolCall()]).chat.completions.create({ ...asked, tools });
    expect(choices[0]?.message.tool_calls?.[0]).toMatchObject({ function: { name: "add", arguments: '{"id":"7"}' } });
    expect(server.requests).toHaveLength(2);
  });
});

describe.each(["client", "server"] as const)("in MCP, at the %s", (side) => {
  const started = async (plugin: ReturnType<typeof retryTool>) => {
    let calls = 0;
    const { client } = await pair(
      (server) =>
        void server.registerTool("add", {}, () => {
          if (++calls < 3) throw new RangeError("the key is hunter2");
          return { content: [{ type: "text" as const, text: "added" }] };
        }),
      side === "client" ? { atClient: [plugin] } : { atServer: [plugin] },
    );
    const result = await client.callTool({ name: "add" }).catch((error: unknown) => String(error));
    return { told: JSON.stringify(result), calls };
  };

  it("retryTool calls the tool again until it has done its work", async () => {
    const { told, calls } = await started(retryTool({ tools: ["add"], initialDelay: 0 }));
    expect([told.includes("added"), calls]).toEqual([true, 3]);
  });

  it("retryTool reports to the caller when it gives up", async () => {
    const { told } = await started(retryTool({ tools: ["add"], initialDelay: 0, maxAttempts: 2 }));
    expect(told).toContain("add failed after 2 attempts");
  });

  it("toolErrors tells who called what they are to know", async () => {
    const { told } = await started(toolErrors({ text: () => "Ask for the number." }));
    expect(told).toContain("Ask for the number.");
    expect(told).not.toContain("hunter2");
  });
});
