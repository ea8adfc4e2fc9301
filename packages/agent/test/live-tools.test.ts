import { describe, expect, it } from "@jest/globals";
import { approve, createAgent, defineTool } from "@suite/agent";
import { override, type Plugin, type RuntimeContext, stateKey } from "@suite/core";
import { call, codeOf, only, scripted, shown, suspended } from "./support.js";

const tool = (name: string, more: object = {}) => defineTool({ name, execute: () => `${name} ran`, ...more });
const names = (tools: readonly { readonly name: string }[]) => tools.map((each) => each.name);

describe("tools that change while a run goes on", () => {
  it("are offered from the next round on, to the model and to all layers, and run through these", async () => {
    const seen: unknown[] = [];
    const guard: Plugin = {
      name: "guard",
      async model(c, next) {
        seen.push(names(c.request.tools));
        await next();
      },
      async tool(c, next) {
        seen.push(c.request.tool.name);
        await next();
      },
    };
    const open = defineTool({
      name: "open",
      execute: (_input, runtime) => {
        runtime.tools?.add(tool("read"), tool("write"));
        runtime.tools?.remove("open");
        return names(runtime.tools?.all ?? []);
      },
    });
    const model = scripted([call("1", "open"), call("2", "read")], [call("3", "read"), call("4", "open")], "ok");
    await createAgent({ name: "a", model, tools: [open], plugins: [guard] }).run("go");
    expect(seen).toEqual([["open"], "open", "read", ["read", "write"], "read", "open", ["read", "write"]]);
    // What was not offered cannot be called: not yet, and not any more.
    expect(shown(model.asked[1])).toEqual([["read", "write"], expect.stringContaining("no tool named")]);
    expect(shown(model.asked[2])).toEqual(["read ran", expect.stringContaining("no tool named")]);
  });

  it("may be a plugin's, in the round that it is in where it offers them itself", async () => {
    const adds: Plugin = {
      name: "adds",
      async reasoning(c, next) {
        if (c.request.tools.length === 0) c.runtime.tools?.add(tool("late"));
        c.request = override(c.request, { tools: c.runtime.tools?.all ?? [] });
        await next();
      },
    };
    const model = scripted([call("1", "late")], "ok");
    await createAgent({ name: "a", model, plugins: [adds] }).run("go");
    expect(shown(model.asked[1])).toEqual(["late ran"]);
  });

  it("have names of their own: a second one is an error, and none of those given with it is added", async () => {
    const add = defineTool({
      name: "add",
      execute: (_input, runtime) => {
        const add = (): void => runtime.tools?.add(tool("new"), tool("add"));
        expect(add).toThrow(expect.objectContaining({ code: "ERR_AGENT_DUPLICATE_TOOL" }));
        return names(runtime.tools?.all ?? []);
      },
    });
    const model = scripted([call("1", "add")], "ok");
    await createAgent({ name: "a", model, tools: [add] }).run("go");
    expect(shown(model.asked[1])).toEqual([["add"]]);
  });

  it("are of one run: another has those that the agent was made with", async () => {
    const model = scripted([call("1", "open")], "ok", "ok");
    const open = tool("open", { execute: (_: unknown, runtime: RuntimeContext) => runtime.tools?.add(tool("read")) });
    const agent = createAgent({ name: "a", model, tools: [open] });
    await agent.run("go");
    await agent.run("go");
    expect(model.asked.map(({ tools }) => names(tools))).toEqual([["open"], ["open", "read"], ["open"]]);
  });

  it("are available after a suspension if their plugin offers them again, and pending calls are not used up if not", async () => {
    const opened = stateKey("opened", () => false, { save: (is) => is, load: Boolean });
    const pay = () => tool("pay", { needsApproval: true });
    const offers: Plugin = {
      name: "offers",
      tools: (runtime) => (runtime.get(opened) ? [pay()] : []),
      async tool(c, next) {
        await next();
        if (c.request.tool.name !== "open") return;
        c.runtime.set(opened, true);
        c.runtime.tools?.add(pay());
      },
    };
    const build = (model: ReturnType<typeof scripted>, plugins: readonly Plugin[]) =>
      createAgent({ name: "a", model, tools: [tool("open")], plugins });
    const pending = await suspended(build(scripted([call("1", "open")], [call("2", "pay")]), [offers]).run("go"));
    const edit = approve(only(pending), { arguments: {} });
    const bare = build(scripted("ok"), []);
    expect(await codeOf(bare.run({ pending, decisions: [edit] }))).toBe("ERR_AGENT_DECISION_NOT_ALLOWED");
    const model = scripted("ok");
    await build(model, [offers]).run({ pending, decisions: [approve(only(pending))] });
    expect(shown(model.asked[0])).toEqual(["pay ran"]);
  });
});
