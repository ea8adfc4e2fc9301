import { describe, expect, it } from "@jest/globals";
import { CreateMessageRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { definePlugin, type Invocation, type RuntimeContext } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import { ambientStorage } from "@suite/core/framework";
import { z } from "zod";
import { pair } from "./pair.js";

const content = (text: string) => ({ content: [{ type: "text" as const, text }] });

describe("what a layer does takes effect", () => {
  it("if it adds arguments to a call without any", async () => {
    const plugin = definePlugin({
      name: "fill",
      async tool(invocation: Invocation<"tool">, callNext) {
        invocation.request = { ...invocation.request, input: { who: "Ada" } };
        await callNext();
      },
    });
    const { client } = await pair(
      (server) =>
        void server.registerTool("greet", { inputSchema: { who: z.string() } }, ({ who }) => content(`Hello, ${who}.`)),
      { atClient: [plugin] },
    );
    expect(await client.callTool({ name: "greet" })).toEqual(content("Hello, Ada."));
  });

  it.each(["client", "server"] as const)("where its only hook is systemPrompt, at the %s", async (side) => {
    const plugin = definePlugin({ name: "prompt", systemPrompt: (prompt: string) => `${prompt} Be brief.`.trim() });
    const asked: unknown[] = [];
    const { server } = await pair(
      (_, client) =>
        client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
          asked.push(params.systemPrompt);
          return { role: "assistant", model: "m", content: { type: "text", text: "." } };
        }),
      side === "client" ? { atClient: [plugin] } : { atServer: [plugin] },
    );
    const messages = [{ role: "user" as const, content: { type: "text" as const, text: "Hi." } }];
    await server.server.createMessage({ messages, maxTokens: 10 });
    await server.server.createMessage({ messages, maxTokens: 10, systemPrompt: "You serve." });
    expect(asked).toEqual(["Be brief.", "You serve. Be brief."]);
  });
});

describe.each(["client", "server"] as const)("a layer at the %s that answers with failure", (side) => {
  const fails = definePlugin({
    name: "fails",
    async tool(invocation: Invocation<"tool">) {
      invocation.respond({ value: { why: "quota" }, isError: true });
    },
  });
  const started = () =>
    pair(
      (server) => {
        server.registerTool("greet", {}, () => content("Hello."));
        server.registerResource("note", "note://1", {}, () => ({ contents: [{ uri: "note://1", text: "x" }] }));
      },
      side === "client" ? { atClient: [fails] } : { atServer: [fails] },
    );

  it("makes a result of a tool that says so", async () => {
    const { client } = await started();
    expect(await client.callTool({ name: "greet" })).toEqual({ ...content('{"why":"quota"}'), isError: true });
  });

  it("fails another request with an error that names the request", async () => {
    const { client } = await started();
    await expect(client.readResource({ uri: "note://1" })).rejects.toThrow(
      /A plugin refused resources\/read\. .*isError.* add resources\/read to the plugin's list of allowed names/,
    );
  });

  it("fails another request with the reason of a policy", async () => {
    const policy = definePlugin({
      name: "policy",
      async tool(invocation: Invocation<"tool">) {
        invocation.respond({ value: "resources/read is not allowed.", isError: true });
      },
    });
    const { client } = await pair(
      (server) => server.registerResource("note", "note://1", {}, () => ({ contents: [] })),
      side === "client" ? { atClient: [policy] } : { atServer: [policy] },
    );
    await expect(client.readResource({ uri: "note://1" })).rejects.toThrow(
      "A plugin refused resources/read. resources/read is not allowed. To allow it",
    );
  });
});

describe("the run of a request that came in", () => {
  const seeing = () => {
    const seen: RuntimeContext[] = [];
    const plugin = definePlugin({
      name: "see",
      async tool({ runtime }: Invocation<"tool">, callNext) {
        seen.push(runtime);
        await callNext();
      },
    });
    return { seen, plugin };
  };

  it("is its own, also where the code that reads the transport is in a run", async () => {
    const { seen, plugin } = seeing();
    const { client } = await pair((server) => void server.registerTool("greet", {}, () => content("Hello.")), {
      atServer: [plugin],
    });
    const stack = new PluginStack([]);
    const run = stack.begin({ ambient: ambientStorage() });
    const outcome = await stack.call("tool", run, { id: "1", tool: { name: "t" }, input: {} }, async (invocation) =>
      invocation.respond({ value: await client.callTool({ name: "greet" }) }),
    );
    expect(await outcome.final()).toEqual(content("Hello."));
    await run.end();
    expect(seen[0]?.parent).toBeUndefined();
  });

  it("is that of what its handler asks for, however many there are", async () => {
    const asked: string[] = [];
    const plugin = definePlugin({
      name: "pairs",
      async tool({ runtime, request }: Invocation<"tool">, callNext) {
        asked.push(`${runtime.runId} ${JSON.stringify(request.input)}`);
        await callNext();
      },
      async model({ runtime, request, call }: Invocation<"model">, callNext) {
        const part = request.messages[0]?.parts[0];
        asked.push(`${runtime.runId} ${part?.type === "text" ? part.content : ""}`);
        expect(call.parent?.kind).toBe("tool");
        await callNext();
      },
    });
    const { client } = await pair(
      (server, plain) => {
        server.registerTool("greet", { inputSchema: { who: z.string() } }, async ({ who }) => {
          await new Promise((resolve) => setTimeout(resolve, Number(who) % 3));
          const text = JSON.stringify({ who });
          await server.server.createMessage({
            messages: [{ role: "user", content: { type: "text", text } }],
            maxTokens: 1,
          });
          return content(who);
        });
        plain.setRequestHandler(CreateMessageRequestSchema, () => ({
          role: "assistant",
          model: "m",
          content: { type: "text", text: "." },
        }));
      },
      { atServer: [plugin] },
    );
    const calls = Array.from({ length: 20 }, (_, who) => ({ name: "greet", arguments: { who: String(who) } }));
    await Promise.all(calls.map((call) => client.callTool(call)));
    expect(asked).toHaveLength(40);
    expect(new Set(asked).size).toBe(20);
  });
});

it("a request that is cancelled while a layer holds it is not sent", async () => {
  const plugin = definePlugin({
    name: "hold",
    async model(_: Invocation<"model">, callNext) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      await callNext();
    },
    tool: (_: Invocation<"tool">, callNext) => callNext(),
  });
  const { client, wire } = await pair(
    (server) =>
      void server.registerTool("ask", {}, async () => {
        const request = { messages: [], maxTokens: 1 };
        await server.server.createMessage(request, { timeout: 5 }).catch(() => {});
        await new Promise((resolve) => setTimeout(resolve, 30));
        return content("asked");
      }),
    { atServer: [plugin] },
  );
  await client.callTool({ name: "ask" });
  expect(wire()).not.toContain("createMessage");
});
