import { afterEach, describe, expect, it } from "@jest/globals";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { toolContentOf } from "@suite/core/messages";
import { isInvisible } from "@suite/kit/text";
import { type McpToolsOptions, mcpTools } from "@suite/tools/mcp";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { Rig } from "./rig.js";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.allSettled(open.splice(0).map((each) => each.close()));
});

/** A run with the tools of a server that lists these, and answers a call with its name. */
async function listed(tools: readonly object[], options: McpToolsOptions = {}, content?: readonly object[]) {
  const server = new Server({ name: "liar", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools as [] }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
    content: (content ?? [{ type: "text", text: params.name }]) as [],
  }));
  const [here, there] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "desk", version: "1.0.0" });
  await Promise.all([server.connect(there), client.connect(here)]);
  open.push(client, server);
  return new Rig([mcpTools(client, options)]);
}
const inputSchema = { type: "object" };
const named = (name: string) => ({ name, inputSchema });

/** Twelve ways to hide text from a person. */
const hidden = [
  ..."\u0007\u001b\u00ad\u034f\u115f\u180b\u200b\u202e\u2800\u3164\ufe01\ufeff",
  ..."\u{e0041}\u{e0100}\ufff9\u17b4",
];

describe("what a server says of its tools", () => {
  it.each(["description", "title", "enum", "const", "default"])("hides nothing in %s of a schema", async (keyword) => {
    const said = `order${hidden.join("")}now`;
    const value = keyword === "enum" ? [said, { deep: [said] }] : said;
    const schema = { type: "object", properties: { a: { type: "string", [keyword]: value }, b: { [keyword]: value } } };
    const rig = await listed([{ name: "t", title: said, description: said, inputSchema: { ...schema, title: said } }]);
    const [tool] = await rig.tools();
    const all = JSON.stringify([tool?.description, tool?.parameters]);
    expect(all).toContain("ordernow");
    for (const character of hidden) expect(all).not.toContain(character);
  });

  it("hides nothing in keys of a default, whatever they are", () =>
    fc.assert(
      fc.asyncProperty(fc.string({ unit: fc.constantFrom("a", ...hidden), maxLength: 20 }), async (said) => {
        const rig = await listed([
          { name: "t", inputSchema: { type: "object", default: { [said]: { [said]: said } } } },
        ]);
        const all = JSON.stringify((await rig.tools())[0]?.parameters);
        for (const character of all) expect(isInvisible(character.codePointAt(0) ?? 0)).toBe(false);
        await Promise.allSettled(open.splice(0).map((each) => each.close()));
      }),
      { numRuns: runs(50) },
    ));
});

describe("the name of a server's tool", () => {
  it("is another one for each name, whatever else is listed and in which order", async () => {
    const offeredOf = async (...names: string[]) => {
      const rig = await listed(names.map(named), { prefix: "shop_" });
      const offered = await rig.tools();
      return Object.fromEntries(await Promise.all(offered.map(async (tool) => [await rig.call(tool, {}), tool.name])));
    };
    const long = ["x".repeat(150), `${"x".repeat(149)}y`];
    const all = ["p.y", "p!y", "p_y", "a b", "a.b", "é", ...long];
    const first = await offeredOf(...all);
    expect(Object.keys(first)).toHaveLength(all.length);
    expect(await offeredOf(...all.toReversed())).toEqual(first);
    for (const name of all) expect(await offeredOf(name)).toEqual({ [name]: first[name] });
    expect(new Set(Object.values(first)).size).toBe(all.length);
    expect(first.p_y).toBe("shop_p_y");
    for (const name of Object.values(first)) expect(name).toMatch(/^shop_[\w-]{1,55}$/);
  });

  it("is that of no tool if two tools of a server have it", async () => {
    const [dotted] = await (await listed([named("p.y")])).tools();
    const twin = dotted?.name.replace("mcp_", "") ?? "";
    const rig = await listed([named("p.y"), named(twin), named("other")]);
    expect((await rig.tools()).map(({ name }) => name)).toEqual(["mcp_other"]);
    expect(rig.decided("offered")).toMatchObject([{ details: { offered: 1, refused: 2 } }]);
  });
});

describe("a result of many texts", () => {
  const notice = 60;

  it("stays within its bound, with the line feeds between them", async () => {
    const content = Array.from({ length: 20_000 }, () => ({ type: "text", text: "y" }));
    const rig = await listed([named("t")], { maxCharacters: 3000 }, content);
    const result = String(await rig.call("mcp_t", {}));
    expect(result.length).toBeLessThanOrEqual(3000 + notice);
    expect(result).toMatch(/^y\ny\n.*\[… 18500 and more characters are left out here\]$/s);
  });

  it("stays within its bound, with images between them, whatever they are", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.string({ maxLength: 5 }), fc.constant(undefined)), { maxLength: 60 }),
        fc.integer({ min: 1, max: 100 }),
        async (texts, maxCharacters) => {
          const image = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" };
          const content = texts.map((text) => (text === undefined ? image : { type: "text", text }));
          const rig = await listed([named("t")], { maxCharacters }, content);
          const result = await rig.call("mcp_t", {});
          const parts = toolContentOf(result) ?? [{ type: "text", content: String(result) }];
          const shown = parts.map((part) => (part.type === "text" ? part.content : "")).join("");
          // More images than are shown are named, within the bound too.
          expect(shown.length).toBeLessThanOrEqual(maxCharacters + notice);
          await Promise.allSettled(open.splice(0).map((each) => each.close()));
        },
      ),
      { numRuns: runs(100) },
    ));
});
