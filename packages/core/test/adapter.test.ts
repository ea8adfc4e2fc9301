import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { definePlugin, type Kind, type Plugin, type Redactor, redactorOf } from "@suite/core";
import { type Accepted, type CallCore, defineAdapter, hookNames, kinds, PluginStack } from "@suite/core/adapter";
import { answers, copyOfCore, request } from "./support.js";

/** A framework of one function. */
interface Framework {
  ask(question: string): Promise<string>;
}
const framework = (): Framework => ({ ask: async (question) => `framework: ${question}` });

/** Wraps `ask` in the model layers. `define` may be that of another copy of core. */
const adapterBy = (define: typeof defineAdapter) =>
  define<Framework, "model" | "tool">({
    name: "@suite/example",
    serves: ["model", "tool"],
    attach: (target, stack) => ({
      ...target,
      async ask(question) {
        const run = stack.begin();
        const core: CallCore<"model"> = async (invocation) =>
          answers(await target.ask(invocation.request.messages.length === 0 ? "" : question))(invocation);
        const { message } = await (await stack.call("model", run, request, core)).final();
        await run.end();
        return message.parts.map((part) => (part.type === "text" ? part.content : "")).join("");
      },
    }),
  });
const adapter = () => adapterBy(defineAdapter);

/** Notes its name for each model call. */
const notes = (log: string[], name: string) =>
  definePlugin({
    name,
    async model(_invocation, callNext) {
      log.push(name);
      await callNext();
    },
  });

let warned: jest.SpiedFunction<typeof console.warn>;
beforeEach(() => {
  warned = jest.spyOn(console, "warn").mockImplementation(() => {});
});
afterEach(() => warned.mockRestore());

describe("withPlugins", () => {
  it("gives the target back wrapped, and leaves the target itself as it was", async () => {
    const log: string[] = [];
    const target = framework();
    const before = Reflect.ownKeys(target);
    const wrapped = adapter()(target, [notes(log, "1")]);
    expect(await wrapped.ask("?")).toBe("framework: ?");
    expect(log).toEqual(["1"]);
    await target.ask("?");
    expect([log, Reflect.ownKeys(target)]).toEqual([["1"], before]);
  });

  it("returns the target itself without plugins, at no cost", () => {
    const target = framework();
    expect(adapter()(target, [])).toBe(target);
  });

  it.each([{}, null, undefined, "framework"])("checks the target %p also without plugins", (given) => {
    const refusal = new TypeError("not a framework");
    const strict = defineAdapter<Framework, "model">({
      name: "@suite/example",
      serves: ["model"],
      checkTarget(target) {
        if (!("ask" in target)) throw refusal;
      },
      attach: (target) => target,
    });
    for (const plugins of [[], [notes([], "1")]]) expect(() => strict(given as never, plugins)).toThrow(refusal);
    const target = framework();
    expect(strict(target, [])).toBe(target);
  });

  it("tells what it serves", () => {
    expect([...adapter().serves]).toEqual(["model", "tool"]);
  });

  it("refuses what is not a plugin", () => {
    const wrong = [{ model() {} }] as unknown as readonly Plugin[];
    expect(() => adapter()(framework(), wrong)).toThrow(expect.objectContaining({ code: "ERR_INVALID_PLUGIN" }));
  });

  it.each([null, undefined, { model() {} }, [null], ["plugin"], [() => {}]])(
    "refuses %p as a list of plugins",
    (given) => {
      const refused = expect.objectContaining({ code: "ERR_INVALID_PLUGIN" });
      expect(() => adapter()(framework(), given as never)).toThrow(refused);
      expect(() => adapter().unserved(given as never)).toThrow(refused);
    },
  );
});

describe("a member that no plugin has", () => {
  const attach = (plugin: object) => () => adapter()(framework(), [plugin] as unknown as readonly Plugin[]);
  const refused = (name: string) =>
    expect.objectContaining({
      code: "ERR_INVALID_PLUGIN",
      message: expect.stringMatching(`Plugin guard has "${name}", which is unknown. Known members: agent, .*close`),
    });

  it("is refused by the compiler, which names it", () => {
    // @ts-expect-error modle is no hook
    expect(attach(definePlugin({ name: "guard", modle() {} }))).toThrow(refused("modle"));
    // @ts-expect-error not Redactor
    definePlugin({ name: "guard", redacter: { redact: String, value: String } });
    definePlugin({
      name: "guard",
      async model(invocation) {
        // @ts-expect-error parameters keep their types
        invocation.nothing;
      },
    });
  });

  it("is refused at run time, where it would be a hook", () => {
    expect(attach({ name: "guard", onModel() {} })).toThrow(refused("onModel"));
    expect(attach({ name: "guard", guard: { async process() {} } })).toThrow(refused("guard"));
    expect(attach({ name: "guard", toString: () => "guard" })).toThrow(refused("toString"));
    expect(attach({ name: "guard", wheerOffered: ["model"] })).toThrow(refused("wheerOffered"));
    expect(attach({ name: "guard", data: 1 })).not.toThrow();
  });

  it("of an object of a class is refused where it is nearly one of ours", () => {
    class Guard {
      readonly name: string = "guard";
      rules = () => [];
      send() {}
      async model() {}
    }
    class Wrong extends Guard {
      async Tool() {}
    }
    expect(attach(new Guard())).not.toThrow();
    expect(attach(new Wrong())).toThrow(refused("Tool"));
  });
});

describe("a list of kinds", () => {
  it("is the one that the compiler holds complete: each has its layers", async () => {
    expect(hookNames).toEqual([...kinds, "systemPrompt", "tools", "approval", "observe"]);
    const all: Record<Kind, true> = {
      agent: true,
      reasoning: true,
      model: true,
      tool: true,
      humanInput: true,
      compressContext: true,
      embedding: true,
      retrieval: true,
      memory: true,
    };
    expect([...kinds].sort()).toEqual(Object.keys(all).sort());
    for (const kind of kinds) expect(new PluginStack([{ name: "p", [kind]: async () => {} }]).has[kind]).toBe(true);
  });
});

describe("a required hook that is not served", () => {
  const person = definePlugin({ name: "approval", async humanInput() {} });

  it("is refused at run time: adapter, plugin and hook are named", () => {
    const plugins: readonly Plugin[] = [person];
    expect(() => adapter()(framework(), plugins)).toThrow(
      expect.objectContaining({
        code: "ERR_HOOK_NOT_SERVED",
        message: expect.stringMatching(/@suite\/example.*humanInput.*approval.*model, tool/),
      }),
    );
  });

  it("is refused also where other hooks of the plugin may go unserved", () => {
    const plugins: readonly Plugin[] = [{ ...person, whereOffered: ["agent"], async agent() {} }];
    expect(() => adapter()(framework(), plugins)).toThrow(expect.objectContaining({ code: "ERR_HOOK_NOT_SERVED" }));
  });

  it("is refused with a plugin to write in its place, which is accepted and keeps its own list", () => {
    const plugin: Plugin = { ...person, whereOffered: ["agent"], async agent() {}, async memory() {} };
    const attach = () => adapter()(framework(), [plugin]);
    expect(attach).toThrow('attach { ...plugin, whereOffered: ["agent", "humanInput", "memory"] } in its place');
    const mended: Plugin = { ...plugin, whereOffered: ["agent", "humanInput", "memory"] };
    expect(() => adapter()(framework(), [mended])).not.toThrow();
  });

  it("is refused by the compiler: onions, systemPrompt, tools and observe", () => {
    const prompt = definePlugin({ name: "prompt", systemPrompt: (text) => text });
    const offers = definePlugin({ name: "offers", tools: () => [] });
    const observes = definePlugin({ name: "observes", observe() {} });
    const guard = definePlugin({ name: "guard", async model() {}, async tool() {} });
    const attach = adapter();
    expect(() => {
      // @ts-expect-error humanInput is required, and not served
      attach(framework(), [guard, person]);
    }).toThrow("humanInput");
    expect(() => {
      // @ts-expect-error systemPrompt is required, and not served
      attach(framework(), [prompt]);
    }).toThrow("systemPrompt");
    expect(() => {
      // @ts-expect-error tools is required, and not served
      attach(framework(), [offers]);
    }).toThrow("tools");
    expect(() => {
      // @ts-expect-error observe is required, and not served
      attach(framework(), [observes]);
    }).toThrow("observe");
    expect(() => {
      // @ts-expect-error what is said to be optional does not excuse the rest
      attach(framework(), [definePlugin({ ...person, whereOffered: ["agent"] })]);
    }).toThrow("humanInput");
  });

  it("is named in what the compiler says", () => {
    const said: Accepted<typeof person, "model"> =
      'This adapter does not support the hook "humanInput", which the plugin requires.';
    expect(said).toContain("humanInput");
  });

  it("is left to run time where the list is typed as plugins only", () => {
    const some: readonly Plugin[] = [notes([], "1")];
    expect(() => adapter()(framework(), some)).not.toThrow();
  });

  it("is checked at run time if the plugin's type only lists hooks that it may have", () => {
    interface Guard extends Plugin {
      readonly redactor: Redactor;
    }
    const redactor: Redactor = { redact: (text) => text, value: (value) => value };
    const guard: Guard = { name: "guard", redactor };
    const attach = adapter();
    expect(() => attach(framework(), [guard])).not.toThrow();
    const approving: Guard = { ...guard, async humanInput() {} };
    expect(() => attach(framework(), [approving])).toThrow("humanInput");
  });

  it("is accepted if the plugin has the served hooks, with lifecycle hooks next to them", () => {
    const guard = definePlugin({ name: "guard", async model() {}, async tool() {}, begin() {}, async close() {} });
    expect(() => adapter()(framework(), [guard])).not.toThrow();
  });
});

describe("a plugin that needs one of several hooks", () => {
  const log: string[] = [];
  const layer = (kind: string) => async (_: unknown, callNext: () => Promise<void>) => {
    log.push(kind);
    await callNext();
  };
  const either = definePlugin({
    name: "either",
    reasoning: layer("reasoning"),
    model: layer("model"),
    oneOf: ["reasoning", "model"],
  });

  it("is accepted if one of them is served, which is called", async () => {
    const attach = adapter();
    log.length = 0;
    await attach(framework(), [either]).ask("?");
    expect(log).toEqual(["model"]);
    expect(attach.unserved([either])).toEqual([]);
  });

  it("is called for the first alone where both are served", async () => {
    const stack = new PluginStack([either]).append([notes([], "more")]);
    expect([stack.has.reasoning, new PluginStack([either]).has.model]).toEqual([true, false]);
    const run = stack.begin();
    log.length = 0;
    await (await stack.call("model", run, request, answers("yes"))).final();
    expect(log).toEqual([]);
    await (await stack.call("reasoning", run, request, answers("yes") as never)).final();
    expect(log).toEqual(["reasoning"]);
    await run.end();
  });

  it("is refused where none of them is, by the compiler too", () => {
    const attach = defineAdapter({ name: "@suite/tools", serves: ["tool"], attach: (target: object) => target });
    expect(() => {
      // @ts-expect-error neither reasoning nor model is served
      attach({}, [either]);
    }).toThrow("reasoning");
    expect(attach.unserved([either])).toEqual(["either.reasoning", "either.model"]);
  });

  it("is refused for a hook beside them that is not served", () => {
    const plugins: readonly Plugin[] = [{ ...either, async humanInput() {} }];
    expect(() => adapter()(framework(), plugins)).toThrow("humanInput");
  });
});

describe("an optional hook that is not served", () => {
  const retrieval = async () => {};
  const humanInput = async () => {};
  const watcher = definePlugin({
    name: "tracing",
    whereOffered: ["agent", "model", "observe"],
    async agent() {},
    async model() {},
    observe() {},
  });

  it("is left out in silence: it is no fault", () => {
    const attach = adapter();
    attach(attach(framework(), [watcher]), [notes([], "1")]);
    expect(warned).not.toHaveBeenCalled();
  });

  it("is reported once by name if the plugin does nothing else there", () => {
    const attach = adapter();
    const guard = definePlugin({
      name: "tool-results",
      whereOffered: ["retrieval", "humanInput"],
      retrieval,
      humanInput,
    });
    attach(attach(framework(), [guard]), [notes([], "1")]);
    attach(framework(), [guard]);
    expect(warned).toHaveBeenCalledTimes(1);
    expect(warned).toHaveBeenCalledWith(
      expect.stringMatching(
        /^@suite\/example does not support any hook of tool-results \(humanInput, retrieval\), so the plugin has no effect/,
      ),
    );
  });

  it.each([
    ["a redactor", { redactor: { redact: String, value: (value: unknown) => value } }],
    ["a beginning", { begin() {} }],
    ["an end", { end() {} }],
  ])("is left out in silence if the plugin has %s", (_, more) => {
    adapter()(framework(), [{ name: "some", whereOffered: ["retrieval"], retrieval, ...more } as Plugin]);
    expect(warned).not.toHaveBeenCalled();
  });

  it("is told on request, with its plugin's name, and so is a required one", () => {
    const person = definePlugin({ name: "approval", async humanInput() {} });
    expect(adapter().unserved([notes([], "1"), watcher, person])).toEqual([
      "tracing.agent",
      "tracing.observe",
      "approval.humanInput",
    ]);
    expect(() => adapter().unserved([{} as Plugin])).toThrow(expect.objectContaining({ code: "ERR_INVALID_PLUGIN" }));
  });
});

describe("wrapping what is wrapped", () => {
  it("joins the pipelines: first outermost, nothing twice", async () => {
    const log: string[] = [];
    const attach = adapter();
    const [first, second] = [notes(log, "1"), notes(log, "2")];
    const once = attach(framework(), [first]);
    const twice = attach(once, [second, first]);
    expect(await twice.ask("?")).toBe("framework: ?");
    expect(log).toEqual(["1", "2"]);
  });

  it("leaves the first wrap as it was", async () => {
    const log: string[] = [];
    const attach = adapter();
    const once = attach(framework(), [notes(log, "1")]);
    attach(once, [notes(log, "2")]);
    await once.ask("?");
    expect(log).toEqual(["1"]);
  });

  it("gives a later single plugin the place of an earlier one of its name (hot reload)", async () => {
    const log: string[] = [];
    const attach = adapter();
    const single = (version: string) => definePlugin({ ...notes(log, version), name: "tracing", single: true });
    const wrapped = attach(attach(framework(), [single("old"), notes(log, "pii")]), [single("new")]);
    await wrapped.ask("?");
    expect(log).toEqual(["new", "pii"]);
  });

  it("refuses anew what it cannot serve, and leaves the earlier wrap working", async () => {
    const log: string[] = [];
    const attach = adapter();
    const wrapped = attach(framework(), [notes(log, "1")]);
    const more: readonly Plugin[] = [{ name: "approval", async humanInput() {} }];
    expect(() => attach(wrapped, more)).toThrow(expect.objectContaining({ code: "ERR_HOOK_NOT_SERVED" }));
    await wrapped.ask("?");
    expect(log).toEqual(["1"]);
  });

  it("wraps an object derived from a wrapped one, with its own members", () => {
    interface Client extends Framework {
      readonly base: string;
    }
    const attach = defineAdapter<Framework, "model">({
      name: "@suite/example",
      serves: ["model"],
      attach: (target) => Object.create(target),
    });
    const wrapped = attach<Client, []>({ ...framework(), base: "one" }, []);
    const derived: Client = Object.create(wrapped, { base: { value: "two" } });
    expect(attach(derived, []).base).toBe("two");
  });

  it("leaves no mark on a target whose wrap is a proxy", async () => {
    const stacks: PluginStack[] = [];
    const attach = defineAdapter<Framework, "model">({
      name: "@suite/example",
      serves: ["model"],
      attach(target, stack) {
        stacks.push(stack);
        return new Proxy(target, {});
      },
    });
    const target = framework();
    attach(target, [notes([], "1")]);
    attach(target, [notes([], "2")]);
    expect(stacks.map(({ plugins }) => plugins.map(({ name }) => name))).toEqual([["1"], ["2"]]);
  });
});

describe("two copies of core in one process", () => {
  it("find that a target is wrapped: one pipeline, nothing twice", async () => {
    const log: string[] = [];
    const copy = await copyOfCore();
    expect(copy.defineAdapter).not.toBe(defineAdapter);
    const [first, second] = [notes(log, "1"), notes(log, "2")];
    const wrapped = adapterBy(copy.defineAdapter)(adapter()(framework(), [first]), [first, second]);
    expect(await wrapped.ask("?")).toBe("framework: ?");
    expect(log).toEqual(["1", "2"]);
  });

  it("see each other's redactors", async () => {
    const copy = await copyOfCore();
    const redactor: Redactor = { redact: () => "***", value: () => "***" };
    const run = new copy.PluginStack([{ name: "pii", redactor }]).begin();
    expect(redactorOf(run)?.redact("jane")).toBe("***");
  });
});
