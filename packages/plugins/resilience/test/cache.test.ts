import { afterEach, describe, expect, it, jest } from "@jest/globals";
import type { Delta, ModelRequest, Plugin, Reply, StateStore } from "@suite/core";
import { definePlugin, message, override, textOf, toolCall } from "@suite/core";
import { memoryStateStore } from "@suite/kit/store";
import { type CacheOptions, cache, hedge, modelFallback, retryModel, timeout } from "@suite/resilience";
import { part, Rig, reply, type Scripted } from "./support.js";

const everyone = (options: CacheOptions = {}): Plugin => cache({ tenant: "everyone", ...options });
const usage = { inputTokens: 10, outputTokens: 5 };
const whole: Reply = {
  message: message("assistant", "an onion"),
  usage,
  finishReason: "stop",
  response: { id: "resp_1", model: "first-2026" },
};
const streamed: readonly Delta[] = [
  part("an "),
  part("onion"),
  { type: "finish", usage, finishReason: "stop", response: { id: "resp_1" } },
];

/** Asks once, in a run of its own, and ends the run. */
async function ask(
  plugins: readonly Plugin[],
  script: Scripted = whole,
  changes: Partial<ModelRequest> = {},
  run: ConstructorParameters<typeof Rig>[2] = {},
) {
  const rig = new Rig(plugins, [script], run);
  rig.run.takesClients = true;
  const outcome = await rig.ask(changes);
  const deltas: Delta[] = [];
  let final: Reply | undefined;
  try {
    for await (const delta of outcome) deltas.push(delta);
    final = await outcome.final();
  } finally {
    await rig.run.end();
  }
  const said = final === undefined ? "" : textOf(final.message);
  return { rig, deltas, final, said, asked: rig.asked.length, streaming: outcome.streaming };
}

/** Whether the same request, asked after this one, is answered by the cache. */
async function keeps(script: Scripted, plugins: readonly Plugin[] = [everyone()], changes: Partial<ModelRequest> = {}) {
  await ask(plugins, script, changes).catch(() => {});
  return (await ask(plugins, reply("asked again"), changes)).asked === 0;
}

afterEach(() => void jest.useRealTimers());

describe("a cache", () => {
  it("answers the same request, reports it, and uses no tokens or response id", async () => {
    const plugin = everyone();
    await ask([plugin]);
    const { rig, final, asked } = await ask([plugin]);
    expect(asked).toBe(0);
    expect(final).toEqual({
      message: whole.message,
      finishReason: "stop",
      usage: { inputTokens: 0, outputTokens: 0 },
      response: { model: "first-2026" },
    });
    const details = { age: expect.any(Number), inputTokensSaved: 10, outputTokensSaved: 5, shared: false };
    expect(rig.told).toEqual([expect.objectContaining({ decision: "hit", enforced: true, details })]);
  });

  it.each([
    ["streamed", "plain", streamed, { stream: false }],
    ["plain", "streamed", whole, { stream: true }],
    ["streamed", "streamed", streamed, { stream: true }],
  ] as const)("answers what was %s to who asks %s", async (_, asks, first, changes) => {
    const plugin = everyone();
    await ask([plugin], first);
    const { deltas, said, streaming, asked } = await ask([plugin], reply("asked again"), changes);
    expect([said, asked, streaming]).toEqual(["an onion", 0, asks === "streamed"]);
    expect(deltas.map(({ type }) => type)).toEqual(["part", "part_end", "finish"]);
  });

  const other: readonly (readonly [string, Partial<ModelRequest>])[] = [
    ["messages", { messages: [message("user", "ho")] }],
    ["a message's bytes", { messages: [message("user", [{ type: "native", value: new Uint8Array([1, 2]) }])] }],
    ["tools", { tools: [{ name: "add" }] }],
    ["a tool's schema", { tools: [{ name: "add", parameters: { type: "object" } }] }],
    ["the choice of tools", { toolChoice: "none" }],
    ["the output schema", { outputSchema: { type: "object" } }],
    ["settings", { settings: { temperature: 1 } }],
    ["the model", { model: "second" }],
    ["the provider", { provider: "another" }],
    ["the server", { server: { address: "eu.example" } }],
    ["the client", { client: { name: "c" } }],
    ["what the framework has beside that", { beside: () => ({ providerOptions: { effort: "low" } }) }],
  ];
  it.each(other)("asks again where something differs: %s", async (_, changes) => {
    const plugin = everyone();
    await ask([plugin]);
    const first = await ask([plugin], whole, changes);
    expect(first.asked).toBe(1);
  });

  it("tells bytes apart, and knows the same bytes again", async () => {
    const plugin = everyone();
    const image = (...bytes: number[]) => ({
      messages: [message("user", [{ type: "native", value: new Uint8Array(bytes) }])],
    });
    await ask([plugin], whole, image(1, 2));
    expect((await ask([plugin], whole, image(1, 3))).asked).toBe(1);
    expect((await ask([plugin], whole, image(1, 2))).asked).toBe(0);
  });

  it("does not mind the order of keys, what the tools do, or how the answer is asked for", async () => {
    const plugin = everyone();
    const tool = { name: "add", description: "adds", execute: () => 1 };
    await ask([plugin], whole, { settings: { seed: 1, topK: 2 }, tools: [tool], stream: true });
    const again = { settings: { topK: 2, seed: 1 }, tools: [{ ...tool, execute: () => 2 }], toolChoice: undefined };
    expect((await ask([plugin], whole, again as never)).asked).toBe(0);
  });

  const kept: readonly (readonly [string, Partial<ModelRequest>])[] = [
    ["a response", { settings: { previous_response_id: "resp_1" } }],
    ["a conversation", { beside: () => ({ providerOptions: { openai: { conversation: "conv_1" } } }) }],
  ];
  it.each(kept)("asks where the provider keeps the history: %s", async (_, changes) => {
    const plugin = everyone();
    await ask([plugin], whole, changes);
    expect((await ask([plugin], whole, changes)).asked).toBe(1);
  });

  it("calls the model for requests that it cannot identify, and reports it", async () => {
    const plugin = everyone();
    const odd = { messages: [message("user", [{ type: "native", value: () => 1 }])] };
    await ask([plugin], whole, odd);
    const { rig, asked } = await ask([plugin], whole, odd);
    expect(asked).toBe(1);
    expect(rig.told).toEqual([
      expect.objectContaining({ decision: "bypass", reason: "the request cannot be identified" }),
    ]);
  });
});

describe("a cache keeps no answer", () => {
  const never: readonly (readonly [string, Scripted])[] = [
    ["that failed", new Error("503")],
    ["that broke off", [part("an "), new Error("cut")]],
    ["that was too long", { ...whole, finishReason: "length" }],
    ["that a filter cut off", { ...whole, finishReason: "content_filter" }],
    ["that says nothing", { message: message("assistant", []) }],
    ["whose tool call is broken", { message: message("assistant", [toolCall("1", "add", '{"a":')]) }],
    ["that calls a tool that there is not", { message: message("assistant", [toolCall("1", "sub", {})]) }],
    ["that is not JSON", { message: message("assistant", [{ type: "native", value: new Uint8Array(1) }]) }],
    [
      "that calls tools, in a form of the provider's own",
      { message: message("assistant", [{ ...toolCall("1", "add", {}), native: { signature: "s" } }]) },
    ],
  ];
  it.each(never)("%s", async (_, script) => {
    expect(await keeps(script, [everyone()], { tools: [{ name: "add" }] })).toBe(false);
  });

  it("but does the same one without that", async () => {
    const calls = { message: message("assistant", [toolCall("1", "add", {})]), finishReason: "tool_call" };
    expect(await keeps(whole)).toBe(true);
    expect(await keeps(streamed)).toBe(true);
    expect(await keeps(calls, [everyone()], { tools: [{ name: "add" }] })).toBe(true);
  });

  it("that nobody read to its end", async () => {
    const plugin = everyone();
    const rig = new Rig([plugin], [streamed]);
    for await (const _ of await rig.ask()) break;
    await rig.run.end();
    expect((await ask([plugin])).asked).toBe(1);
  });

  it("that waits for somebody", async () => {
    const plugin = everyone();
    const waits = definePlugin({
      name: "waits",
      async model(invocation) {
        invocation.respond({ suspended: [{ reason: "approval", part: toolCall("1", "pay", {}) }] });
      },
    });
    await ask([plugin, waits]).catch(() => {});
    expect((await ask([plugin])).asked).toBe(1);
  });

  it("of a run that did not complete: a guard further out may have refused it", async () => {
    const plugin = everyone();
    const refuses = definePlugin({
      name: "guard",
      async model(_, callNext) {
        await callNext();
        throw new Error("No secrets.");
      },
    });
    await expect(ask([refuses, plugin])).rejects.toThrow("No secrets.");
    expect((await ask([plugin])).asked).toBe(1);
  });

  it("that a layer gave in the model's place", async () => {
    const says = definePlugin({
      name: "limit",
      async model(invocation) {
        invocation.respond({ value: reply("The limit is reached.") });
      },
    });
    const plugin = everyone();
    await ask([plugin, says]);
    expect((await ask([plugin])).said).toBe("an onion");
  });

  const changes: readonly (readonly [string, Partial<ModelRequest>])[] = [
    ["another model", { model: "second" }],
    ["another choice of tools", { toolChoice: "none" }],
    ["other tools", { tools: [] }],
    ["other settings", { settings: { maxTokens: 1 } }],
    ["a hint", { messages: [message("user", "hi"), message("user", "Be short.")] }],
    ["a word that was taken out", { messages: [message("user", "**")] }],
  ];
  it.each(changes)("to a question that a layer further in has changed: %s", async (_, changed) => {
    const changer = definePlugin({
      name: "changer",
      async model(invocation, callNext) {
        invocation.request = override(invocation.request, changed);
        await callNext();
      },
    });
    const plugin = everyone();
    const tools = { tools: [{ name: "add" }] };
    await ask([plugin, changer], whole, tools);
    expect((await ask([plugin], whole, tools)).asked).toBe(1);
  });

  it("of another model, which a fallback further in has asked", async () => {
    const plugin = everyone();
    const rig = new Rig(
      [plugin, modelFallback({ models: ["second"], fallbackOn: () => true })],
      [new Error("503"), whole],
    );
    expect((await rig.read()).pieces).toEqual(["an onion"]);
    await rig.run.end();
    expect((await ask([plugin])).asked).toBe(1);
  });

  it("but does where the model has answered to a retry, a hedge or within a timeout further in", async () => {
    const inner = [
      retryModel({ initialDelay: 0, retryOn: () => true }),
      timeout({ call: 1000 }),
      hedge({ delay: 1000 }),
    ];
    for (const script of [whole, streamed]) {
      const plugin = everyone();
      const rig = new Rig([plugin, ...inner], [new Error("503"), script]);
      expect((await rig.read()).pieces.join("")).toBe("an onion");
      await rig.run.end();
      expect((await ask([plugin, ...inner])).asked).toBe(0);
    }
  });

  it("that a guard has refused by an answer in its place", async () => {
    const plugin = everyone();
    const blocks = definePlugin({
      name: "guard",
      async model(invocation, callNext) {
        await callNext();
        await invocation.result?.final();
        const { runtime } = invocation;
        const where = { plugin: "guard", place: "output", enforced: true } as const;
        runtime.notify({ type: "guardrail", decision: "block", ...where });
        invocation.respond({ value: reply("That is not for you.") });
      },
    });
    expect((await ask([blocks, plugin])).said).toBe("That is not for you.");
    expect((await ask([plugin])).asked).toBe(1);
  });

  it("that a guard further in may have changed, and says so", async () => {
    const guard = { name: "guard", redactor: { redact: (given: string) => given, value: (given: unknown) => given } };
    const plugin = everyone();
    const { rig } = await ask([plugin, guard]);
    expect(rig.told).toContainEqual(
      expect.objectContaining({ decision: "bypass", reason: expect.stringContaining("place it outside") }),
    );
    expect((await ask([plugin])).asked).toBe(1);
    expect((await ask([guard, plugin])).asked).toBe(0);
  });

  it("in which a redactor of the run finds something", async () => {
    const hide = (given: unknown): unknown => JSON.parse(JSON.stringify(given).replaceAll("onion", "o****"));
    const guard = { name: "guard", redactor: { redact: (given: string) => String(hide(given)), value: hide } };
    const plugin = everyone();
    await ask([guard, plugin]);
    expect((await ask([guard, plugin], reply("a leek"))).asked).toBe(1);
    expect((await ask([guard, plugin])).said).toBe("a leek");
  });
});

it("a cache keeps no answer that a layer further in has put in place of the model's", async () => {
  const replacing = definePlugin({
    name: "replacing",
    async model(invocation, callNext) {
      await callNext();
      await invocation.result?.final();
      invocation.respond({ value: reply("for this run alone") });
    },
  });
  const plugin = everyone();
  expect((await ask([plugin, replacing])).said).toBe("for this run alone");
  expect((await ask([plugin], reply("asked again"))).said).toBe("asked again");
});

it("a cache keeps no answer of another client than the one that was asked for", async () => {
  const other: Plugin = definePlugin({
    name: "other",
    async model(invocation, callNext) {
      invocation.request = override(invocation.request, { client: { name: "other" } });
      await callNext();
    },
  });
  for (const changes of [{}, { client: { name: "own" } }]) {
    expect(await keeps(whole, [everyone(), other], changes)).toBe(false);
  }
});

describe("a cache shares answers", () => {
  const runs = [{ userId: "ada" }, { userId: "bob" }, { sessionId: "s" }, { sessionId: "ada" }, { userId: "ada" }];

  it("of a user with that user alone, else of a conversation", async () => {
    const plugin = cache();
    const asked: number[] = [];
    for (const run of runs) asked.push((await ask([plugin], whole, {}, run)).asked);
    expect(asked).toEqual([1, 1, 1, 1, 0]);
  });

  it("of a user with no user of the same name in another tenant", async () => {
    const plugin = cache();
    const asked: number[] = [];
    const tenants = [{}, { tenantId: "acme" }, { tenantId: "globex" }, { tenantId: "acme" }];
    for (const tenant of tenants) asked.push((await ask([plugin], whole, {}, { userId: "ada", ...tenant })).asked);
    for (const tenant of tenants) asked.push((await ask([plugin], whole, {}, { sessionId: "s", ...tenant })).asked);
    expect(asked).toEqual([1, 1, 1, 0, 1, 1, 1, 0]);
  });

  it("with no one if the user is unknown, and reports it", async () => {
    const plugin = cache();
    await ask([plugin]);
    const { rig, asked } = await ask([plugin]);
    expect(asked).toBe(1);
    const reason = "the user of this answer is not known";
    expect(rig.told).toEqual([expect.objectContaining({ decision: "bypass", reason })]);
  });

  it("within the tenant that a function returns, and with no one if it returns none", async () => {
    const plugin = cache({ tenant: ({ userId }) => (userId === undefined ? "" : "acme") });
    const asked: number[] = [];
    for (const run of runs) asked.push((await ask([plugin], whole, {}, run)).asked);
    expect(asked).toEqual([1, 0, 1, 1, 0]);
  });
});

describe("a cache leaves alone", () => {
  it("what plugins ask, but for the purposes that are named", async () => {
    const purposes = [everyone(), everyone({ purposes: ["summarize"] })];
    const asked: number[] = [];
    for (const plugin of purposes) {
      for (const purpose of ["summarize", "moderate"]) {
        await ask([plugin], whole, { purpose });
        asked.push((await ask([plugin], whole, { purpose })).asked);
      }
    }
    expect(asked).toEqual([1, 1, 0, 1]);
  });

  it("what is not meant", async () => {
    expect(await keeps(whole, [everyone({ when: ({ model }) => model !== "first" })])).toBe(false);
  });

  it("everything in monitor mode, reports the answer that it would use, and stores no text", async () => {
    const store = memoryStateStore();
    const put: unknown[] = [];
    const seen: StateStore = {
      ...store,
      compareAndSet: (...given) => {
        put.push(given[2]);
        return store.compareAndSet(...given);
      },
    };
    const plugin = everyone({ mode: "monitor", store: seen });
    await ask([plugin]);
    const { rig, asked } = await ask([plugin]);
    expect(asked).toBe(1);
    expect(rig.told).toEqual([expect.objectContaining({ decision: "hit", enforced: false })]);
    expect(JSON.stringify(put)).not.toContain("onion");
  });
});

describe("the store of a cache", () => {
  it("forgets after the time to live", async () => {
    for (const store of [undefined, memoryStateStore({ now: () => Date.now() })]) {
      jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "queueMicrotask"] });
      const plugin = everyone({ ttl: 1000, ...(store && { store }) });
      await ask([plugin]);
      jest.setSystemTime(Date.now() + 999);
      expect((await ask([plugin])).asked).toBe(0);
      jest.setSystemTime(Date.now() + 2);
      expect((await ask([plugin])).asked).toBe(1);
      jest.useRealTimers();
    }
  });

  it("is common to two instances, and has no word of the request in its keys", async () => {
    const store = memoryStateStore();
    const keys: string[] = [];
    const seen: StateStore = { ...store, get: (key) => store.get(keys[keys.push(key) - 1] ?? "") };
    await ask([everyone({ store: seen })]);
    expect((await ask([everyone({ store: seen })])).asked).toBe(0);
    expect(keys).toEqual([expect.stringMatching(/^cache:[0-9a-f]{64}$/), keys[0]]);
  });

  it("in memory drops what was not asked for for the longest time", async () => {
    const plugin = everyone({ maxEntries: 2 });
    const about = (model: string) => ask([plugin], whole, { model });
    for (const model of ["a", "b", "a", "c"]) await about(model);
    expect((await about("a")).asked).toBe(0);
    expect((await about("b")).asked).toBe(1);
  });

  it("in memory holds no more bytes than it may", async () => {
    const plugin = everyone({ maxBytes: 2000 });
    const long = (length: number) => reply("x".repeat(length));
    const about = (model: string, length: number) => ask([plugin], long(length), { model });
    await about("too long", 2000);
    expect((await about("too long", 2000)).asked).toBe(1);
    for (const model of ["a", "b", "c"]) await about(model, 300);
    expect((await about("a", 300)).asked).toBe(1);
    expect((await about("c", 300)).asked).toBe(0);
  });

  const down = (): StateStore => {
    const refuse = () => Promise.reject(new Error("down"));
    return { get: refuse, compareAndSet: refuse, add: refuse, claim: refuse, delete: refuse };
  };
  it("that fails leaves the model to be asked, before and after, and that is told", async () => {
    const { rig, said } = await ask([everyone({ store: down() })]);
    expect(said).toBe("an onion");
    const failed = expect.objectContaining({ decision: "fail_open", place: "store", enforced: true });
    expect(rig.told).toEqual([failed, failed]);
  });

  it("that fails makes the call fail, where that is asked for", async () => {
    await expect(ask([everyone({ store: down(), onStoreError: "closed" })])).rejects.toThrow("down");
  });

  it("may hold what somebody else wrote: the model is asked", async () => {
    const store = memoryStateStore();
    const odd: StateStore = { ...store, get: () => ({ value: { v: 1, message: "?" }, version: "1" }) };
    expect((await ask([everyone({ store: odd })])).asked).toBe(1);
  });

  it("that hangs does not keep an aborted call", async () => {
    const controller = new AbortController();
    const hangs: StateStore = { ...memoryStateStore(), get: () => new Promise(() => {}) };
    const rig = new Rig([everyone({ store: hangs })], [], { signal: controller.signal });
    const asking = rig.ask();
    controller.abort(new Error("enough"));
    await expect(asking).rejects.toThrow("enough");
    await rig.run.end();
  });
});

describe("the same question, asked twice at the same time", () => {
  /** A model that answers when it is let. */
  function gated() {
    let go: (answer: Reply | Error) => void = () => {};
    const answered = new Promise<Reply | Error>((resolve) => {
      go = resolve;
    });
    let asked = 0;
    const model: Plugin = definePlugin({
      name: "gate",
      async model(_, callNext) {
        asked++;
        const answer = await answered;
        if (answer instanceof Error) throw answer;
        await callNext();
      },
    });
    return { go, model, asked: () => asked };
  }
  const turn = () => new Promise((resolve) => setTimeout(resolve, 5));

  it("is asked twice by default", async () => {
    const { go, model, asked } = gated();
    const plugin = everyone();
    const both = [ask([plugin, model]), ask([plugin, model])];
    await turn();
    expect(asked()).toBe(2);
    go(whole);
    await Promise.all(both);
  });

  it("is asked once where the second may wait for the first", async () => {
    const { go, model, asked } = gated();
    const plugin = everyone({ coalesce: 1000 });
    const both = [ask([plugin, model]), ask([plugin, model])];
    await turn();
    go(whole);
    const [first, second] = await Promise.all(both);
    expect([asked(), first?.said, second?.said]).toEqual([1, "an onion", "an onion"]);
    expect(second?.rig.told).toEqual([
      expect.objectContaining({ decision: "hit", details: expect.objectContaining({ shared: true }) }),
    ]);
  });

  it("is asked again where the first fails, or takes too long", async () => {
    for (const late of [false, true]) {
      const { go, model, asked } = gated();
      const plugin = everyone({ coalesce: late ? 10 : 1000 });
      const both = [ask([plugin, model]), ask([plugin, model])];
      await turn();
      if (late) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        expect(asked()).toBe(2);
      }
      go(late ? whole : new Error("503"));
      const settled = await Promise.allSettled(both);
      expect(settled.map(({ status }) => status)).toEqual(late ? ["fulfilled", "fulfilled"] : ["rejected", "rejected"]);
      expect(asked()).toBe(2);
    }
  });

  it("leaves no entry if the first is aborted", async () => {
    const { go, model, asked } = gated();
    const plugin = everyone({ coalesce: 60_000 });
    const controller = new AbortController();
    const first = ask([plugin, model], whole, {}, { signal: controller.signal });
    first.catch(() => {});
    await turn();
    const second = ask([plugin, model]);
    await turn();
    controller.abort(new Error("enough"));
    await turn();
    expect(asked()).toBe(2);
    go(whole);
    expect((await second).said).toBe("an onion");
    await first.catch(() => {});
  });
});

describe("options of a cache", () => {
  it.each([
    [{ ttl: 0 }, /ttl of cache\(\) must be an integer of at least 1/],
    [{ ttl: Number.NaN }, /at least 1/],
    [{ maxEntries: -1 }, /at least 1/],
    [{ maxBytes: 0.5 }, /at least 1/],
    [{ coalesce: 0 }, /milliseconds/],
    [{ tenant: "acme" }, /"everyone", or a function/],
    [{ store: {} }, /StateStore/],
    [{ store: memoryStateStore(), maxEntries: 5 }, /a store has other limits/],
    [{ purposes: [] }, /non-empty/],
    [{ onStoreError: "?" }, /"open" or "closed"/],
    [{ tll: 5 }, /has the options .*ttl/],
  ])("that mean nothing are refused when it is made: %p", (options, why) => {
    expect(() => cache(options as never)).toThrow(why);
    expect(() => cache(options as never)).toThrow(expect.objectContaining({ code: "ERR_RESILIENCE_OPTION" }));
  });
});
