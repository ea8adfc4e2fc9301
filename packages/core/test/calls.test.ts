import { AsyncLocalStorage } from "node:async_hooks";
import { describe, expect, it } from "@jest/globals";
import type { CallId, Delta, Plugin } from "@suite/core";
import { type Current, PluginStack } from "@suite/core/adapter";
import { setSpanOf, spanOf } from "@suite/core/propagation";
import {
  answers,
  call,
  codeOf,
  collect,
  layer,
  piece,
  request,
  settles,
  sleep,
  staged,
  streams,
  words,
} from "./support.js";

describe("a call's identity", () => {
  it("is unique, also across runs", async () => {
    const ids = new Set<string>();
    const note = layer(async (invocation, callNext) => {
      ids.add(invocation.call.id);
      await callNext();
    });
    const stack = new PluginStack([note]);
    for (let runs = 0; runs < 3; runs++) {
      const run = stack.begin();
      for (let calls = 0; calls < 3; calls++) await stack.call("model", run, request, answers("a"));
      await run.end();
    }
    expect(ids.size).toBe(9);
  });

  it("is one for all layers, the core, and every attempt", async () => {
    const seen: CallId[] = [];
    const note = layer(async (invocation, callNext) => {
      seen.push(invocation.call);
      await callNext();
      await callNext();
    });
    await call("model", [note, layer(async (_invocation, callNext) => callNext())], request, async (invocation) => {
      seen.push(invocation.call);
      await answers("a")(invocation);
    });
    expect(seen).toHaveLength(3);
    expect(new Set(seen).size).toBe(1);
  });

  it("knows its kind and the call that it happens within", async () => {
    const stack = new PluginStack();
    const run = stack.begin();
    const ids: CallId[] = [];
    await stack.call("agent", run, { messages: [] }, async (agent) => {
      ids.push(agent.call);
      const model = async (invocation: Parameters<ReturnType<typeof answers>>[0]) => {
        ids.push(invocation.call);
        await answers("a")(invocation);
      };
      const outcome = await stack.call("model", run, request, model, agent.call);
      agent.respond({ stream: outcome });
    });
    const [agent, model] = ids;
    expect([agent?.kind, agent?.parent, model?.kind]).toEqual(["agent", undefined, "model"]);
    expect(model?.parent).toBe(agent);
  });
});

describe("the span of a call", () => {
  const ids = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };

  it("is that of the nearest call round it which has one", () => {
    const agent: CallId = { id: "1", kind: "agent" };
    const round: CallId = { id: "2", kind: "reasoning", parent: agent };
    const model: CallId = { id: "3", kind: "model", parent: round };
    expect(spanOf(model)).toBeUndefined();
    setSpanOf(agent, ids);
    expect([spanOf(model), spanOf(agent)]).toEqual([ids, ids]);
    const nearer = { ...ids, spanId: "00f067aa0ba902b7" };
    setSpanOf(model, nearer);
    expect([spanOf(model), spanOf(round)]).toEqual([nearer, ids]);
  });
});

describe("ambient context", () => {
  it("lets code that is handed nothing find the run and the call, also after it waited", async () => {
    const storage = new AsyncLocalStorage<Current>();
    const stack = new PluginStack([layer(async (_invocation, callNext) => callNext())]);
    const run = stack.begin({ ambient: storage });
    const found: (Current | undefined)[] = [];
    const calls: CallId[] = [];
    await stack.call("agent", run, { messages: [] }, async (agent) => {
      found.push(storage.getStore());
      calls.push(agent.call);
      const core = async (invocation: Parameters<ReturnType<typeof answers>>[0]) => {
        await sleep(1);
        found.push(storage.getStore());
        calls.push(invocation.call);
        await answers("a")(invocation);
      };
      agent.respond({ stream: await stack.call("model", run, request, core, agent.call) });
    });
    expect(found.map((current) => current?.call)).toEqual(calls);
    expect(found.every((current) => current?.runtime === run)).toBe(true);
    expect(storage.getStore()).toBeUndefined();
  });

  it("of calls at the same time does not mix", async () => {
    const storage = new AsyncLocalStorage<Current>();
    const stack = new PluginStack();
    const run = stack.begin({ ambient: storage });
    const ask = (wait: number) =>
      stack.call("model", run, request, async (invocation) => {
        await sleep(wait);
        expect(storage.getStore()?.call).toBe(invocation.call);
        await answers("a")(invocation);
      });
    await Promise.all([ask(4), ask(2), ask(0)]);
    expect.assertions(3);
  });
});

describe("the abort signal", () => {
  const user = new Error("the user left");

  it("is there for every run, and follows the one given", () => {
    const aborting = new AbortController();
    const run = new PluginStack().begin({ signal: aborting.signal });
    const { signal } = run;
    aborting.abort("enough");
    expect([signal.aborted, signal.reason, run.signal === signal]).toEqual([true, "enough", true]);
    expect(new PluginStack().begin({ signal: aborting.signal }).signal.reason).toBe("enough");
    const own = new PluginStack().begin();
    const first = own.signal;
    expect([first.aborted, own.signal === first]).toEqual([false, true]);
  });

  it("that came before a call keeps it from beginning", async () => {
    let asked = false;
    const noting = layer(async () => {
      asked = true;
    });
    const stack = new PluginStack([noting]);
    const run = stack.begin({ signal: AbortSignal.abort(user) });
    expect(await codeOf(stack.call("model", run, request, answers("a")))).toBe(user);
    expect(asked).toBe(false);
  });

  it("that comes while the core is at work cancels the answer it gives, though the core did not listen", async () => {
    const abort = new AbortController();
    const log: string[] = [];
    const deaf = async (invocation: Parameters<ReturnType<typeof answers>>[0]) => {
      abort.abort(user);
      await sleep(1);
      await streams("a")(invocation);
    };
    const answered = call("model", [settles(log)], request, deaf, { signal: abort.signal });
    expect(await codeOf(answered.then(({ outcome }) => outcome.final()))).toBe(user);
    expect(log).toEqual(["cancelled"]);
  });

  it("that comes while an inner layer is at work still lets the outer ones pipe, and settles them", async () => {
    const abort = new AbortController();
    const log: string[] = [];
    const working = layer(async (_invocation, callNext) => {
      await callNext();
      abort.abort(user);
      await sleep(1);
    });
    const answered = call("model", [settles(log), working], request, streams("a"), { signal: abort.signal });
    expect(await codeOf(answered.then(({ outcome }) => outcome.final()))).toBe(user);
    expect(log).toEqual(["cancelled"]);
  });

  it("that comes while an inner layer is at work lets the run wait for those outer settles too", async () => {
    const abort = new AbortController();
    const log: string[] = [];
    const working = layer(async (_invocation, callNext) => {
      await callNext();
      abort.abort(user);
      await sleep(1);
    });
    const records = staged({
      async settle({ status }) {
        await sleep(5);
        log.push(`${status} recorded`);
      },
    });
    const { run } = await call("model", [records, working], request, streams("a"), { signal: abort.signal });
    await run.end();
    expect(log).toEqual(["cancelled recorded"]);
  });

  it("that comes before the first pull gives its reason to the consumer, who iterates", async () => {
    const abort = new AbortController();
    const { outcome } = await call("model", [], request, streams("a"), { signal: abort.signal });
    abort.abort(user);
    expect(await codeOf(collect(outcome))).toBe(user);
  });

  it("that comes between two pulls gives its reason to the consumer", async () => {
    const abort = new AbortController();
    const { outcome } = await call("model", [], request, streams("a", "b"), { signal: abort.signal });
    const consume = async (): Promise<void> => {
      for await (const _ of outcome) abort.abort(user);
    };
    expect(await codeOf(consume())).toBe(user);
  });

  it("that comes during a pull gives its reason at once, closes the source, and settles", async () => {
    const abort = new AbortController();
    const log: string[] = [];
    const slow = async function* () {
      try {
        yield piece("a");
        await sleep(5);
        yield piece("b");
      } finally {
        log.push("closed");
      }
    };
    const core = async (invocation: Parameters<ReturnType<typeof answers>>[0]) =>
      invocation.respond({ stream: slow() });
    const { outcome } = await call("model", [settles(log)], request, core, { signal: abort.signal });
    setTimeout(() => abort.abort(user), 1);
    expect(await codeOf(collect(outcome))).toBe(user);
    expect(await outcome.settled).toEqual({ status: "cancelled", reason: user });
    expect(log).toEqual(["closed", "cancelled"]);
  });

  it("that comes during a pull does not let the consumer wait until a slow source has closed", async () => {
    const abort = new AbortController();
    const log: string[] = [];
    const slow = async function* () {
      yield piece("a");
      await sleep(20);
      log.push("closed");
    };
    const core = async (invocation: Parameters<ReturnType<typeof answers>>[0]) =>
      invocation.respond({ stream: slow() });
    const { outcome, run } = await call("model", [], request, core, { signal: abort.signal });
    setTimeout(() => abort.abort(user), 1);
    await collect(outcome).catch(() => log.push("told"));
    await run.end();
    expect(log).toEqual(["told", "closed"]);
  });

  it("is told to the consumer once: what it asks after that is over", async () => {
    const abort = new AbortController();
    const slow: AsyncIterable<Delta, void> = {
      [Symbol.asyncIterator]: () => ({
        async next() {
          await sleep(5);
          return { done: false, value: piece("a") };
        },
      }),
    };
    const core = async (invocation: Parameters<ReturnType<typeof answers>>[0]) => invocation.respond({ stream: slow });
    const { outcome } = await call("model", [], request, core, { signal: abort.signal });
    const iterator = outcome[Symbol.asyncIterator]();
    const first = codeOf(iterator.next());
    abort.abort(user);
    expect([await first, await iterator.next()]).toEqual([user, { done: true, value: undefined }]);
  });

  it("settles an answer before the one that took its place and reads it, also where its source is slow to close", async () => {
    const abort = new AbortController();
    const log: string[] = [];
    const note = (name: string) => staged({ settle: ({ status }) => void log.push(`${name} ${status}`) });
    const wrap = layer(async (invocation, callNext) => {
      await callNext();
      const { result } = invocation;
      if (result !== undefined) invocation.respond({ stream: result });
    });
    const slow = async function* (): AsyncGenerator<Delta, void> {
      try {
        await sleep(5);
        yield piece("a");
      } finally {
        await sleep(10);
      }
    };
    const core = async (invocation: Parameters<ReturnType<typeof answers>>[0]) =>
      invocation.respond({ stream: slow() });
    const plugins = [note("outer"), wrap, note("inner")];
    const { outcome, run } = await call("model", plugins, request, core, { signal: abort.signal });
    setTimeout(() => abort.abort(user), 1);
    expect(await codeOf(collect(outcome))).toBe(user);
    await run.end();
    expect(log).toEqual(["inner cancelled", "outer cancelled"]);
  });

  it("of an inner run settles the inner answer before the outer one that reads it, and fails with its reason", async () => {
    const abort = new AbortController();
    const log: string[] = [];
    const note = (name: string) => staged({ settle: ({ status }) => void log.push(`${name} ${status}`) });
    const slow = async function* (): AsyncGenerator<Delta, void> {
      try {
        await sleep(5);
        yield piece("a");
      } finally {
        await sleep(10);
      }
    };
    const inner = await call("model", [note("inner")], request, async (c) => c.respond({ stream: slow() }), {
      signal: abort.signal,
    });
    const outer = await call("model", [note("outer")], request, async (c) => c.respond({ stream: inner.outcome }));
    setTimeout(() => abort.abort(user), 1);
    expect(await codeOf(collect(outer.outcome))).toBe(user);
    expect(log).toEqual(["inner cancelled", "outer failed"]);
  });

  it("that comes while ready() waits for a first chunk gives it the reason", async () => {
    const abort = new AbortController();
    const hangs: AsyncIterable<Delta, void> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => {}),
        return: async () => ({ done: true, value: undefined }),
      }),
    };
    const core = async (invocation: Parameters<ReturnType<typeof answers>>[0]) => invocation.respond({ stream: hangs });
    const { outcome } = await call("model", [], request, core, { signal: abort.signal });
    setTimeout(() => abort.abort(user), 1);
    expect(await codeOf(Promise.race([outcome.ready(), sleep(200)]))).toBe(user);
  });

  it("settles an inner call before the one that reads it, also where the inner one is slow to close", async () => {
    const abort = new AbortController();
    const log: string[] = [];
    const note: Plugin = {
      name: "note",
      async agent(invocation, callNext) {
        await callNext();
        invocation.pipe({ settle: ({ status }) => void log.push(`agent ${status}`) });
      },
      async model(invocation, callNext) {
        await callNext();
        invocation.pipe({ settle: ({ status }) => void log.push(`model ${status}`) });
      },
    };
    const stack = new PluginStack([note]);
    const run = stack.begin({ signal: abort.signal });
    const slow = async function* (): AsyncGenerator<Delta, void> {
      try {
        yield piece("a");
        await sleep(5);
        yield piece("b");
      } finally {
        await sleep(10);
      }
    };
    const outcome = await stack.call("agent", run, { messages: [] }, async (agent) =>
      agent.respond({
        stream: (async function* () {
          const core = async (model: Parameters<ReturnType<typeof answers>>[0]) => model.respond({ stream: slow() });
          yield* await stack.call("model", run, request, core, agent.call);
        })(),
      }),
    );
    setTimeout(() => abort.abort(user), 1);
    expect(await codeOf(collect(outcome))).toBe(user);
    await run.end();
    expect(log).toEqual(["model cancelled", "agent cancelled"]);
  });

  it("that comes after the end changes nothing", async () => {
    const abort = new AbortController();
    const log: string[] = [];
    const { outcome, run } = await call("model", [settles(log)], request, streams("a"), { signal: abort.signal });
    await outcome.final();
    abort.abort(user);
    expect((await outcome.final()).usage).toBeDefined();
    await run.end();
    expect(log).toEqual(["completed"]);
  });

  it("reaches an answer that reads another one", async () => {
    const abort = new AbortController();
    const log: string[] = [];
    const wrap = layer(async (invocation, callNext) => {
      await callNext();
      const { result } = invocation;
      if (result !== undefined) invocation.respond({ stream: result });
    });
    const core = async (invocation: Parameters<ReturnType<typeof answers>>[0]) =>
      invocation.respond({ stream: words("a", "b") });
    const plugins = [settles(log), wrap, settles(log)];
    const { outcome, run } = await call("model", plugins, request, core, { signal: abort.signal });
    await outcome[Symbol.asyncIterator]().next();
    abort.abort(user);
    await run.end();
    expect(log).toEqual(["cancelled", "cancelled"]);
  });
});
