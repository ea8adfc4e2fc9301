import { afterEach, describe, expect, it } from "@jest/globals";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { type Plugin, signalOf } from "@suite/core";
import { toolContent, toolContentOf } from "@suite/core/messages";
import { ToolsError } from "@suite/tools";
import { type McpToolsOptions, mcpTools } from "@suite/tools/mcp";
import fc from "fast-check";
import { z } from "zod";
import { runs } from "../../../../scripts/runs.mjs";
import { Rig } from "./rig.js";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.allSettled(open.splice(0).map((each) => each.close()));
});

const connected = async (server: McpServer | Server): Promise<Client> => {
  const [here, there] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "desk", version: "1.0.0" }, { capabilities: { elicitation: { form: {} } } });
  await Promise.all([server.connect(there), client.connect(here)]);
  open.push(client, server);
  return client;
};

/** A run with the tools of a real server. */
async function serving(
  set: (server: McpServer) => void,
  options: McpToolsOptions = {},
  others: readonly Plugin[] = [],
  run = {},
) {
  const server = new McpServer({ name: "shop", version: "1.0.0" });
  set(server);
  return new Rig([...others, mcpTools(await connected(server), options)], run);
}

/** A server that lists, and answers, whatever it is told to. */
async function lying(
  tools: unknown,
  result: unknown = { content: [] },
  options: McpToolsOptions = {},
  list?: (cursor: unknown) => unknown,
) {
  const server = new Server({ name: "liar", version: "1" }, { capabilities: { tools: {} } });
  let asked = 0;
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    asked++;
    return (list?.(params?.cursor) ?? { tools }) as { tools: [] };
  });
  server.setRequestHandler(CallToolRequestSchema, () => result as { content: [] });
  return { rig: new Rig([mcpTools(await connected(server), options)]), asked: () => asked };
}

const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });

describe("the client of mcpTools", () => {
  const info = { name: "desk", version: "1" };

  it.each([
    ["a server", () => new Server(info), /takes a Client of @modelcontextprotocol\/sdk 1/],
    ["a McpServer", () => new McpServer(info), /takes a Client/],
    ["a transport", () => InMemoryTransport.createLinkedPair()[0], /takes a Client/],
    ["nothing", () => undefined, /takes a Client/],
  ])("is refused by name if it is %s", (_, made, message) => {
    const refused = expect.objectContaining({ code: "ERR_TOOLS_OPTION", message: expect.stringMatching(message) });
    expect(() => mcpTools(made() as never)).toThrow(refused);
  });
});

describe("mcpTools", () => {
  it("offers the tools of a server, and returns their results", async () => {
    const rig = await serving((server) => {
      const inputSchema = { id: z.string().describe("Its number.") };
      server.registerTool("find_order", { description: "Finds an order.", inputSchema }, ({ id }) =>
        text(`order ${id}: shipped`),
      );
      server.registerTool("other", {}, () => text("other"));
    });
    const [tool, other] = await rig.tools();
    expect(tool).toMatchObject({
      name: "mcp_find_order",
      description: "Finds an order.",
      parameters: {
        type: "object",
        properties: { id: { type: "string", description: "Its number." } },
        required: ["id"],
      },
    });
    expect(other?.name).toBe("mcp_other");
    expect(await rig.call("mcp_find_order", { id: "17" })).toBe("order 17: shipped");
    expect(rig.decided("offered")).toMatchObject([{ details: { offered: 2, refused: 0 } }]);
  });

  it("offers those that were named, under the prefix that was", async () => {
    const set = (server: McpServer) => {
      for (const name of ["a", "b"]) server.registerTool(name, {}, () => text(name));
    };
    const rig = await serving(set, { tools: ["b", "c"], prefix: "shop_" });
    expect((await rig.tools()).map(({ name }) => name)).toEqual(["shop_b"]);
    expect(await rig.call("shop_b", {})).toBe("b");
  });

  it("takes a result that the server calls a failure for one, as guards inside have let it through", async () => {
    const seen: unknown[] = [];
    const outer: Plugin = {
      name: "outer",
      async tool(invocation, callNext) {
        await callNext();
        seen.push(invocation.result?.isError);
      },
    };
    const server = new McpServer({ name: "shop", version: "1.0.0" });
    server.registerTool("pay", {}, () => ({ ...text("no money, jane@x.com"), isError: true }));
    const guard: Plugin = {
      name: "guard",
      async tool(invocation, callNext) {
        await callNext();
        invocation.pipe({ chunk: (chunk, emit) => emit(String(chunk).replace("jane@x.com", "[email]")) });
      },
    };
    const rig = new Rig([outer, mcpTools(await connected(server)), guard]);
    expect(await rig.call("mcp_pay", {})).toBe("no money, [email]");
    expect(seen).toEqual([true]);
  });

  it("tells progress, and of one without end a part", async () => {
    const told: unknown[] = [];
    const set = (server: McpServer) =>
      server.registerTool("slow", {}, async ({ _meta, sendNotification }) => {
        for (let progress = 1; progress <= 1000; progress++) {
          const params = { progressToken: _meta?.progressToken as string, progress, total: 1000, message: "secret" };
          await sendNotification({ method: "notifications/progress", params });
        }
        return text("done");
      });
    const rig = await serving(set, { onProgress: (progress) => told.push(progress) });
    expect(await rig.call("mcp_slow", {})).toBe("done");
    expect(told).toHaveLength(100);
    expect(told[0]).toEqual({ tool: "mcp_slow", progress: 1, total: 1000, message: "secret" });
    expect(rig.decided("progress")).toHaveLength(100);
    expect(JSON.stringify(rig.told)).not.toContain("secret");
  });

  it("cancels the call at the server with the run, and when it takes too long", async () => {
    const aborted: string[] = [];
    const set = (server: McpServer) =>
      server.registerTool("hang", {}, async ({ signal }) => {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        aborted.push("told");
        return text("late");
      });
    const stop = new AbortController();
    const rig = await serving(set, {}, [], { signal: stop.signal });
    await rig.tools();
    const calling = rig.call("mcp_hang", {});
    setTimeout(() => stop.abort(new Error("enough")), 50);
    await expect(calling).rejects.toThrow("enough");
    const slow = await serving(set, { timeout: 50 });
    await expect(slow.call("mcp_hang", {})).rejects.toThrow(/timed out/i);
    await new Promise((done) => setTimeout(done, 50));
    expect(aborted).toEqual(["told", "told"]);
  });

  const asking = (server: McpServer) =>
    server.registerTool("book", {}, async () => {
      const requestedSchema = { type: "object" as const, properties: { day: { type: "string" as const } } };
      const { action, content } = await server.server.elicitInput({ message: "Which\u200b day?", requestedSchema });
      return text(`${action} ${JSON.stringify(content ?? {})}`);
    });

  it("answers what the server asks a person, within the call that it asks in", async () => {
    const seen: unknown[] = [];
    const rig = await serving(asking, {
      elicit: ({ message }, { tool, call, runtime }) => {
        seen.push(message, tool, call.kind, runtime === rig.run, signalOf(call) !== undefined);
        return { action: "accept", content: { day: "Monday" } };
      },
    });
    expect(await rig.call("mcp_book", {})).toBe('accept {"day":"Monday"}');
    expect(seen).toEqual(["Which\u200b day?", "mcp_book", "tool", true, true]);
  });

  it("declines if the calling tool is unknown, and after too many questions", async () => {
    const rig = await serving(
      (server) => {
        asking(server);
        server.registerTool("ask_on", {}, async () => {
          const requestedSchema = { type: "object" as const, properties: {} };
          for (let at = 1; ; at++) {
            const { action } = await server.server.elicitInput({ message: "More?", requestedSchema });
            if (action !== "accept") return text(`${at}`);
          }
        });
      },
      { elicit: () => ({ action: "accept", content: {} }) },
    );
    expect(await Promise.all([rig.call("mcp_book", {}), rig.call("mcp_book", {})])).toEqual([
      "decline {}",
      "decline {}",
    ]);
    expect(rig.decided("declined").length).toBeGreaterThan(0);
    expect(await rig.call("mcp_ask_on", {})).toBe("11");
  });
});

describe("a server that lies", () => {
  it("about names has them made plain, and one each", async () => {
    const named = (name: string) => ({ name, inputSchema: { type: "object" } });
    const { rig } = await lying(["a b", "a.b", "a\nb", "x".repeat(150), "é", "a b"].map(named));
    const names = (await rig.tools()).map(({ name }) => name);
    expect(names).toHaveLength(5);
    expect(new Set(names).size).toBe(5);
    for (const name of names) expect(name).toMatch(/^mcp_[\w-]{1,60}$/);
  });

  it("about what a tool is loses that tool, and no other", async () => {
    const good = { name: "good", inputSchema: { type: "object" } };
    const never = { ...good, name: "task", execution: { taskSupport: "required" } };
    const broken = {
      ...good,
      name: "broken",
      outputSchema: { type: "object", properties: { a: { $ref: "#/nowhere" } } },
    };
    const { rig } = await lying([null, 7, {}, { name: 1 }, { name: "y".repeat(500) }, never, good, broken]);
    expect((await rig.tools()).map(({ name }) => name)).toEqual(["mcp_good", "mcp_broken"]);
    expect(rig.decided("offered")).toMatchObject([{ details: { offered: 2, refused: 6 } }]);
    expect(await rig.call("mcp_broken", {})).toBe("");
  });

  it("about how many there are is not listened to for ever", async () => {
    let page = 0;
    const list = () => ({ tools: [{ name: `t${++page}`, inputSchema: { type: "object" } }], nextCursor: `${page}` });
    const endless = await lying([], undefined, {}, list);
    expect(await endless.rig.tools()).toHaveLength(50);
    expect(endless.asked()).toBe(50);
    const same = await lying([], undefined, {}, () => ({ tools: [], nextCursor: "same" }));
    expect(await same.rig.tools()).toHaveLength(0);
    expect(same.asked()).toBe(2);
    const many = Array.from({ length: 5000 }, (_, at) => ({ name: `t${at}`, inputSchema: { type: "object" } }));
    expect(await (await lying(many)).rig.tools()).toHaveLength(64);
  });

  it.each([
    [
      "an expression that does not end",
      { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } }, patternProperties: { "(a+)+": {} } },
    ],
    [
      "a reference to elsewhere",
      { type: "object", properties: { a: { $ref: "https://evil.example/schema" }, b: { $dynamicRef: "#x" } } },
    ],
    [
      "a reference to itself",
      { type: "object", properties: { a: { $ref: "#" } }, $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } },
    ],
    ["definitions that double", doubling(40)],
    [
      "a megabyte",
      {
        type: "object",
        properties: Object.fromEntries(
          Array.from({ length: 20_000 }, (_, at) => [`p${at}`, { description: "x".repeat(50) }]),
        ),
      },
    ],
    ["a depth of thousands", deep(3000)],
    [
      "names that no provider takes",
      {
        type: "object",
        properties: { "a b": {}, ["__proto__"]: {}, constructor: {}, ok: {} },
        required: ["a b", "ok", 7],
      },
    ],
    ["another type", { type: "array", items: {} }],
    ["a choice at the top", { anyOf: [{ type: "object" }], type: "object", enum: [1] }],
    ["nothing", undefined],
    ["a text", "object"],
  ])("about an input by %s is given another schema", async (_, inputSchema) => {
    const { rig } = await lying([{ name: "t", inputSchema }]);
    const [tool] = await rig.tools();
    harmless(tool?.parameters);
  });

  it("about an input has a property with the name of a keyword: it is a name", async () => {
    const inputSchema = { type: "object", properties: { patternProperties: { type: "string" } } };
    const { rig } = await lying([{ name: "t", inputSchema }]);
    const [tool] = await rig.tools();
    harmless(tool?.parameters);
    expect(tool?.parameters).toMatchObject(inputSchema);
  });

  it("about an input by any schema is given a harmless one", async () => {
    const keyword = fc.constantFrom(
      "type",
      "properties",
      "items",
      "$ref",
      "$defs",
      "pattern",
      "anyOf",
      "required",
      "enum",
      "not",
      "additionalProperties",
      "__proto__",
      "title",
      "patternProperties",
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom("object", "string", "#/$defs/type", "#", "(a+)+$", "https://x"),
        fc.jsonValue(),
        fc.dictionary(keyword, tie("any"), { maxKeys: 4 }),
        fc.array(tie("any"), { maxLength: 3 }),
      ),
    })).any;
    await fc.assert(
      fc.asyncProperty(value, async (inputSchema) => {
        const { rig } = await lying([{ name: "t", inputSchema }]);
        harmless((await rig.tools())[0]?.parameters);
        await Promise.allSettled(open.splice(0).map((each) => each.close()));
      }),
      { numRuns: runs(300) },
    );
  }, 60_000);

  it("about what a tool does hides nothing in it", async () => {
    const description = `Finds.\u200b\u202e\u{e0041}\u001b[2J${"x".repeat(10_000)}`;
    const { rig } = await lying([{ name: "t", description, inputSchema: { type: "object" } }]);
    expect((await rig.tools())[0]?.description).toMatch(/^Finds\.\[2Jx{1,1990}$/);
  });

  it("about its results is bounded, and what is no text is told", async () => {
    const tools = [{ name: "t", inputSchema: { type: "object" }, outputSchema: { type: "object", required: ["a"] } }];
    const long = await lying(tools, text("y".repeat(1_000_000)), { maxCharacters: 1000 });
    expect(String(await long.rig.call("mcp_t", {})).length).toBeLessThan(1100);
    const content = [
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "resource", resource: { uri: "a://b", text: "its text" } },
      { type: "resource_link", uri: "a://c", name: "c" },
    ];
    expect(await (await lying(tools, { content })).rig.call("mcp_t", {})).toBe(
      "[image of image/png]\nits text\n[a link to a resource: a://c]",
    );
    expect(await (await lying(tools, { content: [], structuredContent: { b: 1 } })).rig.call("mcp_t", {})).toBe(
      '{"b":1}',
    );
    await expect((await lying(tools, { content: 7 })).rig.call("mcp_t", {})).rejects.toThrow();
  });

  it("about its images and documents is judged by their bytes, and the rest is named", async () => {
    const tools = [{ name: "t", inputSchema: { type: "object" } }];
    const [png, pdf] = ["iVBORw0KGgo=", "JVBERi0="];
    const content = [
      { type: "text", text: "Seen:" },
      { type: "image", data: png, mimeType: "image/jpeg" },
      { type: "image", data: "PHN2Zz48", mimeType: "image/svg+xml" },
      { type: "audio", data: "AAAA", mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "a://b", blob: pdf, mimeType: "application/pdf" } },
    ];
    const given = async (options: McpToolsOptions) => (await lying(tools, { content }, options)).rig.call("mcp_t", {});
    const rest = "[image of image/svg+xml]\n[audio of audio/wav]";
    expect(await given({})).toEqual(
      toolContent([
        "Seen:",
        { type: "blob", modality: "image", mimeType: "image/png", content: png },
        rest,
        { type: "blob", modality: "document", mimeType: "application/pdf", content: pdf },
      ]),
    );
    const named = `Seen:\n[image of image/jpeg]\n${rest}\n[a resource of application/pdf]`;
    expect(await given({ maxFileBytes: 0 })).toBe(named);
    expect(await given({ maxFileBytes: 9 })).toEqual(
      toolContent([
        "Seen:",
        { type: "blob", modality: "image", mimeType: "image/png", content: png },
        named.split("\n").slice(2).join("\n"),
      ]),
    );
    const many = await lying(tools, { content: Array.from({ length: 30 }, () => content[1]) });
    expect(toolContentOf(await many.rig.call("mcp_t", {}))?.filter(({ type }) => type === "blob")).toHaveLength(20);
  });

  it("does not change a tool while the run goes on", async () => {
    let asked = 0;
    const list = () => ({ tools: [{ name: "t", description: `${++asked}`, inputSchema: { type: "object" } }] });
    const { rig } = await lying([], undefined, {}, list);
    await rig.tools();
    expect((await rig.tools())[0]?.description).toBe("1");
  });
});

it.each([
  { tools: [] },
  { prefix: "a b" },
  { maxTools: 0 },
  { maxFileBytes: -1 },
  { timeout: Number.NaN },
  { elicit: "yes" },
  { other: 1 },
])("refuses the options %j", (options) => {
  const client = new Client({ name: "desk", version: "1" });
  expect(() => mcpTools(client, options as McpToolsOptions)).toThrow(ToolsError);
  expect(() => mcpTools({} as Client)).toThrow(ToolsError);
});

/** A schema that no validator runs away with, and that no provider refuses. */
function harmless(schema: unknown): void {
  const written = JSON.stringify(schema);
  expect(written.length).toBeLessThanOrEqual(20_000);
  expect(schema).toMatchObject({ type: "object", properties: expect.anything() });
  for (const top of ["anyOf", "oneOf", "allOf", "not", "enum", "const"]) expect(schema).not.toHaveProperty(top);
  // Names of properties are no keywords, whatever they are: one may be called `patternProperties`.
  const visit = (at: unknown, depth: number, areNames = false): void => {
    expect(depth).toBeLessThan(40);
    if (typeof at !== "object" || at === null) return;
    for (const [name, each] of Object.entries(at)) {
      visit(each, depth + 1, name === "properties" && !areNames && !Array.isArray(at));
      if (areNames) expect(name).toMatch(/^[\w.-]{1,64}$/);
      else expect(name).not.toMatch(/^(\$ref|\$dynamicRef|patternProperties)$/);
      if (name === "pattern") expect(typeof each).not.toBe("string");
    }
  };
  visit(schema, 0);
}

function doubling(levels: number): object {
  const $defs = Object.fromEntries(
    Array.from({ length: levels }, (_, at) => {
      const next = { $ref: `#/$defs/d${at + 1}` };
      return [`d${at}`, { type: "object", properties: { a: next, b: next } }];
    }),
  );
  return { type: "object", properties: { a: { $ref: "#/$defs/d0" } }, $defs };
}

function deep(levels: number): object {
  let schema: object = { type: "string" };
  for (let at = 0; at < levels; at++) schema = { type: "object", properties: { a: schema } };
  return schema;
}
