import { describe, expect, it } from "@jest/globals";
import { ContextError, toolSearch, toolSelector } from "@suite/context";
import { message, type Reply, type Tool } from "@suite/core";
import type { AskRequest } from "@suite/core/contract";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { Rig } from "./support.js";

const tool = (name: string, description = ""): Tool => ({ name, description, parameters: {} });
const tools = [
  tool("find_order", "Finds an order by its number."),
  tool("cancelOrder", "Cancels an order."),
  tool("weather", "Tells what the weather will be."),
  tool("translate", "Translates a text."),
  tool("send_mail", "Sends a mail to a customer."),
];
const question = [message("user", "Where is order 17?")];

/** A run in which a model is asked for its choice, and gives this. */
function choosing(plugin: ReturnType<typeof toolSelector>, answer: string | Error | Reply) {
  const rig = new Rig([plugin]);
  const asked: AskRequest[] = [];
  (rig.run as { ask?: unknown }).ask = async (request: AskRequest): Promise<Reply> => {
    asked.push(request);
    if (answer instanceof Error) throw answer;
    return typeof answer === "string" ? { message: message("assistant", answer), finishReason: "stop" } : answer;
  };
  const offered = async (given: readonly Tool[] = tools, changes = {}) => {
    await rig.model(question, { tools: given, ...changes });
    return rig.asked.at(-1)?.tools.map(({ name }) => name);
  };
  return { rig, asked, offered };
}

describe("toolSelector", () => {
  const all = tools.map(({ name }) => name);

  it("offers the first of the selected tools and the fixed ones, and asks once per run", async () => {
    const selector = toolSelector({ maxTools: 2, alwaysInclude: ["translate"] });
    const { rig, asked, offered } = choosing(selector, '```json\n["weather","weather","find_order","send_mail"]\n```');
    expect(await offered()).toEqual(["find_order", "weather", "translate"]);
    expect(await offered()).toEqual(["find_order", "weather", "translate"]);
    expect(asked).toHaveLength(1);
    expect(JSON.stringify(asked[0]?.messages)).toContain("Where is order 17?");
    expect(rig.decisions).toMatchObject([{ decision: "selected", details: { offered: 5, chosen: 3 }, enforced: true }]);
  });

  it("offers tools that come later, and one that has to be called", async () => {
    const { offered } = choosing(toolSelector({ maxTools: 1 }), '["weather"]');
    expect(await offered(tools, { toolChoice: { name: "send_mail" } })).toEqual(["weather", "send_mail"]);
    expect(await offered([...tools, tool("later")])).toEqual(["weather", "send_mail", "later"]);
  });

  it("keeps its choice over a suspension", async () => {
    const { rig, offered } = choosing(toolSelector({ maxTools: 1 }), '["weather"]');
    await offered();
    const durable = JSON.parse(JSON.stringify(rig.run.save()));
    const after = new Rig([toolSelector({ maxTools: 1 })], { runId: rig.run.runId, durable });
    await after.model(question, { tools });
    expect(after.asked[0]?.tools).toEqual([tools[2]]);
  });

  // In the reference systems a failed or an invalid choice ends the run.
  it.each([
    ["a name that there is not", '["zzz"]', "invalid"],
    ["no list", "the weather one", "invalid"],
    ["a list of others than names", "[1]", "invalid"],
    ["an error", new Error("503"), "failed"],
    ["an answer of a layer", { message: message("assistant", '["weather"]') }, "failed"],
  ] as const)("offers all tools if the choice is %s, and reports it", async (_, answer, reason) => {
    const { rig, asked, offered } = choosing(toolSelector({ maxTools: 1 }), answer);
    expect(await offered()).toEqual(all);
    expect(await offered()).toEqual(all);
    expect(asked).toHaveLength(1);
    expect(rig.decisions).toMatchObject([{ decision: "fallback", reason, details: { offered: 5, chosen: 5 } }]);
  });

  it("does not ask if the tools are within the limit, and offers all tools if no model is available", async () => {
    const { asked, offered } = choosing(toolSelector({ maxTools: 5 }), "[]");
    expect(await offered()).toEqual(all);
    expect(asked).toEqual([]);
    const rig = new Rig([toolSelector({ maxTools: 1 })]);
    await rig.model(question, { tools });
    expect(rig.asked[0]?.tools).toBe(tools);
    expect(rig.decisions).toMatchObject([{ decision: "fallback", reason: "unavailable" }]);
  });

  it("in monitor mode tells its choice, and changes nothing", async () => {
    const { rig, offered } = choosing(toolSelector({ maxTools: 1, mode: "monitor" }), '["weather"]');
    expect(await offered()).toEqual(all);
    expect(rig.decisions).toMatchObject([{ decision: "selected", enforced: false }]);
  });
});

describe("toolSearch", () => {
  const search = tool("search_tools");
  const names = (rig: Rig) => rig.asked.at(-1)?.tools.map(({ name }) => name);
  const look = async (rig: Rig, query: unknown) => {
    const [own] = await rig.stack.tools(rig.run);
    return own?.execute?.({ query }, rig.run, { id: "1", kind: "tool" });
  };

  it("offers the tools that fit the newest question, and its own", async () => {
    const rig = new Rig([toolSearch({ maxTools: 2 })]);
    await rig.model(question, { tools: [...tools, search] });
    expect(names(rig)).toEqual(["find_order", "cancelOrder", "search_tools"]);
    expect(rig.decisions).toMatchObject([{ decision: "searched", details: { found: 2, of: 5 } }]);
  });

  it("finds what the model looks for, from then on, and over a suspension", async () => {
    const rig = new Rig([toolSearch({ maxTools: 1 })]);
    await rig.model([message("user", "Hello")], { tools: [...tools, search] });
    expect(names(rig)).toEqual(["search_tools"]);
    expect(await look(rig, "wether forecast")).toBe("weather: Tells what the weather will be.");
    await rig.model(question, { tools: [...tools, search] });
    expect(names(rig)).toEqual(["weather", "search_tools"]);
    expect(await look(rig, "quantum")).toContain("No tool was found");

    const durable = JSON.parse(JSON.stringify(rig.run.save()));
    const after = new Rig([toolSearch({ maxTools: 1 })], { runId: rig.run.runId, durable });
    await after.model(question, { tools: [...tools, search] });
    expect(names(after)).toEqual(["weather", "search_tools"]);
  });

  it("offers all where nothing was found, and the model cannot look for more", async () => {
    const rig = new Rig([toolSearch({ maxTools: 1 })]);
    await rig.model([message("user", "Hello")], { tools });
    expect(rig.asked[0]?.tools).toBe(tools);
    expect(rig.decisions).toMatchObject([{ decision: "searched" }, { decision: "fallback" }]);
  });

  it("offers all where there are no more than it may find, and in monitor mode", async () => {
    const rig = new Rig([toolSearch({ maxTools: 5 })]);
    await rig.model(question, { tools });
    expect(rig.asked[0]?.tools).toBe(tools);
    const monitor = new Rig([toolSearch({ maxTools: 1, mode: "monitor" })]);
    await monitor.model(question, { tools });
    expect(monitor.asked[0]?.tools).toBe(tools);
    expect(monitor.decisions).toMatchObject([{ decision: "searched", enforced: false }]);
  });

  it("offers no tool that there is not, whatever is asked, and no more than it may", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 3000 }), async (text) => {
        const rig = new Rig([toolSearch({ maxTools: 2 })]);
        await rig.model([message("user", text)], { tools: [...tools, search] });
        expect(names(rig)?.length).toBeLessThanOrEqual(3);
        await look(rig, text);
      }),
      { numRuns: runs(200) },
    );
  });
});

it("options that make no sense are refused", () => {
  for (const maxTools of [0, -1, Number.NaN]) {
    expect(() => toolSelector({ maxTools })).toThrow(ContextError);
    expect(() => toolSearch({ maxTools })).toThrow(ContextError);
  }
  expect(() => toolSelector({ maxTools: 1, alwaysInclude: [1] } as never)).toThrow(ContextError);
  expect(() => toolSearch({ toolName: "" })).toThrow(ContextError);
});
