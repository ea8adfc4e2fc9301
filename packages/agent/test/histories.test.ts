import { describe, expect, it, jest } from "@jest/globals";
import {
  type AgentOptions,
  approve,
  createAgent,
  defineTool,
  memoryResumeStore,
  type PendingState,
  result,
} from "@suite/agent";
import { override, type Plugin, textOf, toolCallsOf } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import { stackOf } from "../src/tools/context.js";
import { call, codeOf, only, type Said, scripted, shown, suspended } from "./support.js";

const look = defineTool({ name: "look", execute: () => "seen" });
const nested = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`);
const resultsIn = (messages: readonly { readonly parts: readonly { readonly type: string }[] }[]) =>
  messages.flatMap(({ parts }) => parts.filter(({ type }) => type === "tool_call_response"));

describe("the history", () => {
  it("shows a result as it was, whatever the tool does with it later", async () => {
    const found: string[] = [];
    const find = defineTool({ name: "find", execute: () => found.push(`${found.length}`) && found });
    const model = scripted([call("1", "find")], [call("2", "find")], "done");
    const end = await createAgent({ name: "a", model, tools: [find] }).run("go");
    expect(resultsIn(end.messages)).toMatchObject([{ response: ["0"] }, { response: ["0", "1"] }]);
  });

  it("shows a call as the model wrote it, whatever a tool or a layer does with its input; a retry has it so, too", async () => {
    const given: unknown[] = [];
    const spoils = defineTool({
      name: "spoils",
      execute(input) {
        const { list } = input as { list: number[] };
        given.push([...list]);
        list.push(9);
        if (given.length < 2) throw new Error("again");
      },
    });
    const twice: Plugin = {
      name: "twice",
      async tool(_c, next) {
        await next().catch(() => next());
      },
    };
    const model = scripted([call("1", "spoils", { list: [1] })], "done");
    const end = await createAgent({ name: "a", model, tools: [spoils], plugins: [twice] }).run("go");
    expect(given).toEqual([[1], [1]]);
    expect(end.messages.flatMap(toolCallsOf)).toMatchObject([{ arguments: { list: [1] } }]);
  });

  it("hands on what a layer puts into the input that is no plain value", async () => {
    const handle = new (class Handle {})();
    let given: unknown;
    const uses = defineTool({
      name: "uses",
      execute(input) {
        given = (input as { readonly handle: unknown }).handle;
      },
    });
    const gives: Plugin = {
      name: "gives",
      async tool(c, next) {
        c.request = override(c.request, { input: { handle } });
        await next();
      },
    };
    await createAgent({ name: "a", model: scripted([call("1", "uses")], "ok"), tools: [uses], plugins: [gives] }).run(
      "go",
    );
    expect(given).toBe(handle);
  });

  it("has an error in place of a result that is no JSON, or is nested without end", async () => {
    const cyclic: unknown[] = [];
    cyclic.push(cyclic);
    const results = [cyclic, nested(600), 1n, undefined];
    const odd = defineTool({ name: "odd", execute: () => results.shift() });
    const model = scripted(
      [1, 2, 3, 4].map((id) => call(`${id}`, "odd")),
      "done",
    );
    const end = await createAgent({ name: "a", model, tools: [odd] }).run("go");
    const error = expect.stringContaining("The result of odd is not JSON");
    expect(shown(model.asked[1])).toEqual([error, error, error, null]);
    expect(end.status).toBe("completed");
  });
});

describe("a state that could never be resumed", () => {
  const ship = defineTool({ name: "ship" });
  const agentOf = (resume: NonNullable<AgentOptions["resume"]>, said: Said = [call("1", "ship")]) =>
    createAgent({ name: "a", model: scripted(said, "done"), tools: [ship, look], resume });

  it.each([Number.POSITIVE_INFINITY, Number.NaN, "1h", 1e16, null])("is not made: expiresIn of %s", (expiresIn) => {
    expect(() => agentOf({ expiresIn: expiresIn as number })).toThrow(
      expect.objectContaining({ code: "ERR_AGENT_OPTIONS" }),
    );
  });

  it.each([0, Number.NaN, "4Mi"])("is not made: maxBytes of %s", (maxBytes) => {
    expect(() => agentOf({ maxBytes: maxBytes as number })).toThrow(
      expect.objectContaining({ code: "ERR_AGENT_OPTIONS" }),
    );
  });

  it("is not returned if it is too long, and the largest that is returned can be resumed", async () => {
    const long = (length: number) => [call("1", "ship", { text: "x".repeat(length) })];
    let [fits, fails] = [0, 20_000];
    let pending: PendingState | undefined;
    while (fails - fits > 1) {
      const middle = (fits + fails) >> 1;
      const done = await agentOf({ maxBytes: 20_000 }, long(middle))
        .run("go")
        .catch((error: { code?: unknown }) => error.code);
      if (done === "ERR_AGENT_PENDING_TOO_LARGE") fails = middle;
      else {
        fits = middle;
        pending = (done as { pending: PendingState }).pending;
      }
    }
    expect(JSON.stringify(pending).length).toBeGreaterThan(19_000);
    const decisions = [result(only(pending as PendingState), "ok")];
    const agent = createAgent({ name: "a", model: scripted("done"), tools: [ship], resume: { maxBytes: 20_000 } });
    expect(await agent.run({ pending: pending as PendingState, decisions })).toMatchObject({ text: "done" });
  });

  it("is not returned if the history is nested too deep", async () => {
    const asked = (levels: number) =>
      agentOf({}).run([
        { role: "assistant", parts: [call("0", "look", nested(levels))] },
        { role: "user", parts: [{ type: "text", content: "ship" }] },
      ]);
    for (const levels of [600, 50_000]) expect(await codeOf(asked(levels))).toBe("ERR_AGENT_PENDING_TOO_LARGE");
    const pending = await suspended(asked(480));
    const agent = createAgent({ name: "a", model: scripted("done"), tools: [ship] });
    expect(await agent.run({ pending, decisions: [result(only(pending), "ok")] })).toMatchObject({ text: "done" });
  });

  it("says that it was signed with a key that this process does not have, and not that it was altered", async () => {
    const pending = await suspended(agentOf({}).run("go"));
    const signature = { ...pending.signature, kid: "process-of-another" };
    const elsewhere = agentOf({}).run({ pending: { ...pending, signature }, decisions: [] });
    await expect(elsewhere).rejects.toThrow(/signed with a key that this agent does not have .*resume\.keys/s);
    expect(pending.signature.kid).toMatch(/^process-.{36}$/);
  });

  it("takes no decision that could not be kept", async () => {
    const pending = await suspended(agentOf({}).run("go"));
    for (const response of [nested(600), 1n]) {
      const resumed = agentOf({}).run({ pending, decisions: [result(only(pending), response)] });
      expect(await codeOf(resumed)).toBe("ERR_AGENT_DECISION_MISMATCH");
    }
    for (const decisions of [undefined, [null]]) {
      const resumed = agentOf({}).run({ pending, decisions: decisions as never });
      expect(await codeOf(resumed)).toMatch(/^ERR_AGENT_DECISION/);
    }
    const response = { list: [1] };
    const model = scripted(() => `${response.list.push(2)}`);
    const agent = createAgent({ name: "a", model, tools: [ship] });
    const { messages } = await agent.run({ pending, decisions: [result(only(pending), response)] });
    expect(resultsIn(messages)).toMatchObject([{ response: { list: [1] } }]);
  });

  it("can be resumed up to the millisecond in which it expires", async () => {
    const { jest } = await import("@jest/globals");
    const pending = await suspended(agentOf({}).run("go"));
    const clock = jest.spyOn(Date, "now").mockReturnValue(pending.expiresAt);
    try {
      const agent = createAgent({ name: "a", model: scripted("done"), tools: [ship] });
      expect(await agent.run({ pending, decisions: [result(only(pending), "ok")] })).toMatchObject({ text: "done" });
    } finally {
      clock.mockRestore();
    }
  });
});

describe("a store of this process", () => {
  it("forgets claims when their time is over, and no others", async () => {
    const start = 1_800_000_000_000;
    const now = jest.spyOn(Date, "now").mockReturnValue(start);
    try {
      const store = memoryResumeStore();
      for (let i = 0; i < 998; i++) await store.claim(`old ${i}`, { ttl: 10 });
      await store.claim("young", { ttl: 60_000 });
      now.mockReturnValue(start + 9);
      expect([await store.claim("old 0", { ttl: 10 }), await store.claim("young", { ttl: 10 })]).toEqual([
        false,
        false,
      ]);
      now.mockReturnValue(start + 10);
      await store.claim("the thousandth", { ttl: 60_000 });
      expect([await store.claim("old 0", { ttl: 10 }), await store.claim("young", { ttl: 10 })]).toEqual([true, false]);
    } finally {
      now.mockRestore();
    }
  });
});

describe("the choice of tools", () => {
  it.each(["required", { name: "look" }] as const)("%j is asked for until the first call", async (toolChoice) => {
    const model = scripted([call("1", "look")], [call("2", "look")], "done");
    const end = await createAgent({ name: "a", model, tools: [look], toolChoice }).run("go");
    expect(model.asked.map((request) => request.toolChoice)).toEqual([toolChoice, undefined, undefined]);
    expect(end).toMatchObject({ text: "done" });
  });

  it.each(["auto", "none"] as const)("%s stays", async (toolChoice) => {
    const model = scripted([call("1", "look")], "done");
    await createAgent({ name: "a", model, tools: [look], toolChoice }).run("go");
    expect(model.asked.map((request) => request.toolChoice)).toEqual([toolChoice, toolChoice]);
  });

  it("is the layers': a tool that one took off the request cannot be called in that round", async () => {
    let ran = 0;
    const wipe = defineTool({ name: "wipe", execute: () => ++ran });
    let rounds = 0;
    const selects: Plugin = {
      name: "selects",
      async reasoning(c, next) {
        if (rounds++ === 0)
          c.request = override(c.request, { tools: c.request.tools.filter(({ name }) => name !== "wipe") });
        await next();
      },
    };
    const asks = [call("1", "wipe"), call("2", "look")];
    const model = scripted(asks, asks, "done");
    await createAgent({ name: "a", model, tools: [wipe, look], plugins: [selects] }).run("go");
    expect(shown(model.asked[1])).toEqual(['There is no tool named "wipe". Tools: look.', "seen"]);
    expect([shown(model.asked[2]), ran]).toEqual([[1, "seen"], 1]);
  });
});

describe("the limit of rounds", () => {
  const says = (content: string) => ({ type: "text", content }) as const;

  it("is stated to the model in the last round, whose text next to tool calls is the answer", async () => {
    const model = scripted(
      [says("one moment "), call("1", "look")],
      [says("this is all I know"), call("2", "look"), call("3", "look")],
    );
    const agent = createAgent({ name: "a", model, tools: [look], maxRounds: 2, systemPrompt: "Be kind." });
    const end = await agent.run("go");
    expect(end).toMatchObject({ text: "this is all I know", finishReason: "max_rounds" });
    expect(model.asked.map(({ messages }) => textOf(messages[0] ?? []))).toEqual([
      "Be kind.",
      expect.stringMatching(/^Be kind\.\n\n.*you cannot call any more tools/),
    ]);
    expect(resultsIn(end.messages)).toHaveLength(3);
  });
});

describe("a plugin of a tool", () => {
  it("is put into the layers of a run once, however often the tool is called", () => {
    const plugin: Plugin = { name: "own", tool: (_context, next) => next() };
    const tool = { ...look, plugins: [plugin] };
    const [one, other] = [new PluginStack([]), new PluginStack([])];
    expect(stackOf(tool, one)).toBe(stackOf(tool, one));
    expect(stackOf(tool, other)).not.toBe(stackOf(tool, one));
  });

  it("is refused if it requires a hook that cannot run there, and accepted if the hook is optional", async () => {
    const guard: Plugin = { name: "guard", async model() {} };
    const tool = (plugin: Plugin) => defineTool({ name: "look", execute: () => 1, plugins: [plugin] });
    const agentOf = (plugin: Plugin, plugins: readonly Plugin[] = []) =>
      createAgent({ name: "a", model: scripted("x"), tools: [tool(plugin)], plugins });
    expect(() => agentOf(guard)).toThrow(/guard of the tool look has the hook model/);
    expect(() => agentOf({ ...guard, whereOffered: ["model"] })).not.toThrow();
    expect(() => agentOf(guard, [guard])).not.toThrow();
    const offers: Plugin = { name: "offers", tools: () => [tool(guard)] };
    const run = createAgent({ name: "a", model: scripted("x"), plugins: [offers] }).run("go");
    expect(await codeOf(run)).toBe("ERR_AGENT_OPTIONS");
  });

  it("may answer in the place of the person whom the tool asks", async () => {
    const yes: Plugin = { name: "yes", humanInput: async (c) => c.respond({ value: true }) };
    const pay = (plugins: readonly Plugin[]) =>
      defineTool({ name: "pay", needsApproval: true, execute: () => "paid", plugins });
    const agentOf = (plugins: readonly Plugin[]) =>
      createAgent({ name: "a", model: scripted([call("1", "pay")], "done"), tools: [pay(plugins)] });
    expect(await agentOf([yes]).run("go")).toMatchObject({ status: "completed" });
    const pending = await suspended(agentOf([]).run("go"));
    expect(approve(only(pending))).toMatchObject({ type: "approve" });
  });
});
