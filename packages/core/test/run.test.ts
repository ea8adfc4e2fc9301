import { describe, expect, it, jest } from "@jest/globals";
import { type Invocation, type Notification, type Plugin, type Redactor, redactorOf, stateKey } from "@suite/core";
import { PluginStack, type Run } from "@suite/core/adapter";
import { type FaultNotification, redactorsKey, sharedKey } from "@suite/core/contract";
import {
  answers,
  call,
  codeOf,
  copyOfCore,
  layer,
  piece,
  request,
  settles,
  sleep,
  staged,
  streams,
  words,
} from "./support.js";

const begin = (...plugins: Plugin[]): Run => new PluginStack(plugins).begin();
const limit: Notification = { type: "limit", limit: "rounds", maximum: 3 };

describe("a run's identity", () => {
  it("is new for each run, or the one it goes on with", () => {
    const ids = [begin(), begin()].map((run) => run.runId);
    expect(ids[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(ids[0]).not.toBe(ids[1]);
    expect(new PluginStack().begin({ runId: "r1" }).runId).toBe("r1");
  });

  it("carries agent, session, user, and parent", () => {
    const parent = begin();
    const agent = { name: "support", version: "2" };
    const run = new PluginStack().begin({ agent, sessionId: "s", userId: "u", parent });
    expect(run).toMatchObject({ agent, sessionId: "s", userId: "u" });
    expect([run.parent === parent, parent.parent]).toEqual([true, undefined]);
  });

  it("is what hooks see: its handle and its runtime are one", async () => {
    const seen: unknown[] = [];
    const look = layer(async (invocation, callNext) => {
      seen.push(invocation.runtime);
      await callNext();
    });
    const { run } = await call("model", [look], request, answers("a"));
    expect(seen[0] === run && run.runtime === run).toBe(true);
  });
});

describe("state keys", () => {
  it("hold a value per run, made on first use", () => {
    let made = 0;
    const list = stateKey<string[]>("list", () => {
      made++;
      return [];
    });
    const [one, other] = [begin(), begin()];
    expect(made).toBe(0);
    one.get(list).push("a");
    one.set(list, [...one.get(list), "b"]);
    expect([one.get(list), other.get(list), made]).toEqual([["a", "b"], [], 2]);
  });

  it("keep undefined and other empty values, once set", () => {
    const key = stateKey<number | undefined>("n", () => 1);
    const run = begin();
    run.set(key, undefined);
    expect(run.get(key)).toBeUndefined();
  });

  it("are private: another key of the same name is another key", () => {
    const run = begin();
    const mine = stateKey("count", () => 0);
    run.set(mine, 7);
    expect(run.get(stateKey("count", () => 0))).toBe(0);
  });

  it("that core shares are the same in every copy of the package", async () => {
    const copy = await copyOfCore();
    expect(copy.redactorsKey).not.toBe(redactorsKey);
    expect(copy.redactorsKey.id).toBe(redactorsKey.id);
    expect(sharedKey("x", () => 0).id).toBe(copy.sharedKey("x", () => 0).id);
    const redactor: Redactor = { redact: () => "***", value: () => "***" };
    const run = begin({ name: "pii", redactor });
    expect(copy.redactorOf(run)?.redact("jane")).toBe("***");
  });
});

describe("redactors", () => {
  const replaces = (what: string, by: string): Redactor => ({
    redact: (text) => text.replaceAll(what, by),
    value: (value) => (typeof value === "string" ? value.replaceAll(what, by) : value),
  });
  const pii = (redactor: Redactor): Plugin => ({ name: "pii", redactor });

  it("are none where no plugin brings one", () => {
    expect(redactorOf(begin({ name: "other" }))).toBeUndefined();
  });

  it("add up: two plugins both count", () => {
    const both = redactorOf(begin(pii(replaces("a", "1")), { name: "other" }, pii(replaces("b", "2"))));
    expect([both?.redact("abc"), both?.value("abc"), both?.value(5)]).toEqual(["12c", "12c", 5]);
  });

  it("of a parent's run count in the runs of its tools", () => {
    const parent = begin(pii(replaces("a", "1")));
    const child = new PluginStack([pii(replaces("b", "2"))]).begin({ parent });
    expect(redactorOf(child)?.redact("abc")).toBe("12c");
    expect(redactorOf(parent)?.redact("abc")).toBe("1bc");
  });

  it("of single tools count in the whole run", () => {
    const run = new PluginStack([]).begin({ toolPlugins: [pii(replaces("a", "1"))] });
    expect(redactorOf(run)?.redact("abc")).toBe("1bc");
  });

  it("are there before the first begin, whatever the order of plugins", () => {
    const seen: unknown[] = [];
    begin({ name: "audit", begin: (run) => void seen.push(redactorOf(run)?.redact("a")) }, pii(replaces("a", "1")));
    expect(seen).toEqual(["1"]);
  });

  it("cannot be replaced or changed during the run", () => {
    const run = begin(pii(replaces("a", "1")));
    expect(() => run.set(redactorsKey, [])).toThrow(expect.objectContaining({ code: "ERR_KEY_SEALED" }));
    expect(() => (run.get(redactorsKey) as Redactor[]).pop()).toThrow(TypeError);
    expect(redactorOf(run)?.redact("a")).toBe("1");
  });

  it("cannot be replaced through another key of the same id", () => {
    const run = begin(pii(replaces("a", "1")));
    const forged = sharedKey<readonly Redactor[]>("redactors", () => []);
    expect(() => run.set(forged, [])).toThrow(expect.objectContaining({ code: "ERR_KEY_SEALED" }));
    expect(redactorOf(run)?.redact("a")).toBe("1");
  });
});

describe("begin", () => {
  it("of every plugin comes before the first hook, in order, whatever the order of plugins", async () => {
    const log: string[] = [];
    const plugin = (name: string): Plugin => ({
      name,
      begin: () => void log.push(`begin ${name}`),
      async model(_invocation, callNext) {
        log.push(`model ${name}`);
        await callNext();
      },
    });
    await call("model", [plugin("1"), plugin("2")], request, answers("a"));
    expect(log).toEqual(["begin 1", "begin 2", "model 1", "model 2"]);
  });

  it("of single tools' plugins comes after those of the run, and once for a plugin that is both", () => {
    const log: string[] = [];
    const plugin = (name: string): Plugin => ({ name, begin: () => void log.push(name) });
    const both = plugin("both");
    new PluginStack([both, plugin("run")]).begin({ toolPlugins: [plugin("tool"), both] });
    expect(log).toEqual(["both", "run", "tool"]);
  });

  it("may leave state that others find, whatever their order", async () => {
    const trace = stateKey("trace", () => "none");
    const seen: string[] = [];
    const reader = layer(async ({ runtime }, callNext) => {
      seen.push(runtime.get(trace));
      await callNext();
    });
    const writer: Plugin = { name: "writer", begin: (runtime) => runtime.set(trace, "set") };
    await call("model", [reader, writer], request, answers("a"));
    expect(seen).toEqual(["set"]);
  });

  it("that throws lets its error through", () => {
    const error = new Error("theirs");
    const fails: Plugin = {
      name: "fails",
      begin() {
        throw error;
      },
    };
    expect(() => begin(fails)).toThrow(error);
  });
});

describe("end", () => {
  it("of every plugin comes once, in order, after every answer has settled, with the state still there", async () => {
    const log: string[] = [];
    const key = stateKey("n", () => "state");
    const plugin = (name: string): Plugin => ({
      name,
      async end(runtime) {
        await sleep(1);
        log.push(`${name} ${runtime.get(key)}`);
      },
    });
    const { run } = await call("model", [plugin("1"), settles(log), plugin("2")], request, answers("a"));
    await Promise.all([run.end(), run.end()]);
    expect(log).toEqual(["cancelled", "1 state", "2 state"]);
  });

  it("of single tools' plugins comes too, also after an abort", async () => {
    const log: string[] = [];
    const abort = new AbortController();
    const plugin: Plugin = { name: "tool's", end: () => void log.push("end") };
    const run = new PluginStack([]).begin({ toolPlugins: [plugin], signal: abort.signal });
    abort.abort();
    await run.end();
    expect(log).toEqual(["end"]);
  });

  it("that throws is reported, and stops no other", async () => {
    const log: unknown[] = [];
    const fails = (end: NonNullable<Plugin["end"]>): Plugin => ({ name: "fails", end });
    const run = begin(
      fails(() => Promise.reject(new Error("later"))),
      fails(() => {
        throw new Error("now");
      }),
      { name: "other", observe: (told) => void log.push(told), end: () => void log.push("end") },
    );
    await run.end();
    expect(log).toMatchObject([
      { type: "fault", where: "end of fails" },
      { type: "fault", where: "end of fails" },
      "end",
    ]);
  });
});

describe("durable state", () => {
  interface Stored {
    readonly spent: number;
  }
  const budget = () =>
    stateKey("budget", () => new Map<string, number>(), {
      save: (map): Stored => ({ spent: map.get("spent") ?? 0 }),
      load: (stored) => new Map([["spent", (stored as Stored).spent]]),
    });
  const resumed = (saved: unknown): Run => new PluginStack().begin({ durable: JSON.parse(JSON.stringify(saved)) });

  it("survives a suspension as JSON, also in another process with other keys", () => {
    const run = begin();
    run.get(budget()).set("spent", 5);
    const later = resumed(run.save());
    expect(later.get(budget()).get("spent")).toBe(5);
  });

  it("of two keys of one name is refused, also after a resume: one would overwrite the other", () => {
    const clash = expect.objectContaining({ code: "ERR_DUPLICATE_KEY" });
    const [one, other] = [budget(), budget()];
    const run = begin();
    run.get(one).set("spent", 3);
    expect(() => run.get(other)).toThrow(clash);
    expect(() => run.set(other, new Map([["spent", 9]]))).toThrow(clash);
    expect([run.get(one).get("spent"), run.save()]).toEqual([3, { budget: { spent: 3 } }]);
    const later = resumed(run.save());
    later.set(other, new Map([["spent", 4]]));
    expect(() => later.get(one)).toThrow(clash);
    expect(later.save()).toEqual({ budget: { spent: 4 } });
  });

  it("of two instances of a plugin is separate if each has its own key", () => {
    const counter = (name: string) => {
      const used = stateKey(`${name}.used`, () => 0, { save: (sum) => sum, load: Number });
      return { add: (run: Run, n: number) => run.set(used, run.get(used) + n), of: (run: Run) => run.get(used) };
    };
    const counters = () => ["tokens", "calls"].map(counter);
    const run = begin();
    for (const [index, each] of counters().entries()) each.add(run, index + 1);
    const later = resumed(run.save());
    expect(counters().map((each) => each.of(later))).toEqual([1, 2]);
  });

  it("is saved after set, without a get before", () => {
    const key = stateKey("n", () => 0, { save: (n) => n, load: Number });
    const run = begin();
    run.set(key, 4);
    expect(run.save()).toEqual({ n: 4 });
  });

  it("is created if nothing was stored", () => {
    expect(resumed({}).get(budget()).size).toBe(0);
  });

  it("leaves behind what is not durable", () => {
    const run = begin();
    run.set(
      stateKey("plain", () => 0),
      1,
    );
    expect(run.save()).toEqual({});
  });

  it("that this process does not know travels on", () => {
    const run = resumed({ "other.plugin": { deep: [1] } });
    run.get(budget()).set("spent", 1);
    expect(run.save()).toEqual({ "other.plugin": { deep: [1] }, budget: { spent: 1 } });
  });

  it("that nobody asked for yet travels on unchanged, through several suspensions", () => {
    const first = begin();
    first.get(budget()).set("spent", 5);
    const third = resumed(resumed(resumed(first.save()).save()).save());
    expect(third.get(budget()).get("spent")).toBe(5);
  });

  it("does not mistake inherited members for stored values", () => {
    const key = stateKey("constructor", () => "made", { save: (v) => v, load: () => "loaded" });
    expect(resumed({}).get(key)).toBe("made");
  });
});

describe("a run that has ended", () => {
  it("holds nothing any more", async () => {
    const key = stateKey("n", () => 0);
    const run = begin();
    await run.end();
    expect(() => run.get(key)).toThrow(expect.objectContaining({ code: "ERR_RUN_ENDED" }));
    expect(() => run.set(key, 1)).toThrow(expect.objectContaining({ code: "ERR_RUN_ENDED" }));
  });

  it("begins no further call", async () => {
    const stack = new PluginStack();
    const run = stack.begin();
    await run.end();
    let asked = false;
    const late = stack.call("model", run, request, async (invocation) => {
      asked = true;
      await answers("a")(invocation);
    });
    expect([await codeOf(late), asked]).toEqual(["ERR_RUN_ENDED", false]);
  });

  it("had its state while answers settled", async () => {
    const key = stateKey("n", () => 1);
    const seen: number[] = [];
    const { run } = await call(
      "model",
      [staged({ settle: () => void seen.push(run.get(key)) })],
      request,
      answers("a"),
    );
    await run.end();
    expect(seen).toEqual([1]);
  });

  it("may be ended twice, also at once: everything settles once", async () => {
    const log: string[] = [];
    const { run } = await call("model", [settles(log)], request, answers("a"));
    await Promise.all([run.end(), run.end()]);
    await run.end();
    expect(log).toEqual(["cancelled"]);
  });

  it("has settled all that was left, read in part, replaced, or not at all", async () => {
    const log: string[] = [];
    const stack = new PluginStack([settles(log)]);
    const run = stack.begin();
    const ask = () => stack.call("model", run, request, streams("a", "b"));
    const [partly] = [await ask(), await ask(), await ask()];
    await partly[Symbol.asyncIterator]().next();
    await run.end("bye");
    expect(log).toEqual(["cancelled", "cancelled", "cancelled"]);
    expect(await partly.settled).toEqual({ status: "cancelled", reason: "bye" });
  });

  it("rejects waiting callers with an error of this package, if no reason was passed", async () => {
    const hangs = async (invocation: Invocation<"model">) => {
      invocation.respond({
        stream: (async function* () {
          yield piece("a");
          await sleep(5);
        })(),
      });
    };
    const { outcome, run } = await call("model", [], request, hangs);
    const final = codeOf(outcome.final());
    await run.end();
    expect(await final).toBe("ERR_CANCELLED");
    expect(await outcome.settled).toMatchObject({ status: "cancelled", reason: { name: "CoreError" } });
  });

  it("settles children before their parents, also where a child is slow to close", async () => {
    const log: string[] = [];
    const note = (kind: "agent" | "tool") => ({ settle: () => void log.push(kind) });
    const plugin: Plugin = {
      name: "note",
      async agent(invocation, callNext) {
        await callNext();
        invocation.pipe(note("agent"));
      },
      async tool(invocation, callNext) {
        await callNext();
        invocation.pipe(note("tool"));
      },
    };
    const stack = new PluginStack([plugin]);
    const run = stack.begin();
    await stack.call("agent", run, { messages: [] }, async (agent) => {
      const asked = { id: "1", tool: { name: "t" }, input: {} };
      const progress = async function* () {
        try {
          yield 1;
        } finally {
          await sleep(10);
        }
      };
      const core = async (tool: { respond(answer: { stream: AsyncIterable<unknown, void> }): void }) =>
        tool.respond({ stream: progress() });
      const tool = await stack.call("tool", run, asked, core, agent.call);
      await tool.ready();
      agent.respond({ stream: words("a") });
    });
    await run.end();
    expect(log).toEqual(["tool", "agent"]);
  });

  it("settles also what answers only after the end", async () => {
    const log: string[] = [];
    const stack = new PluginStack([settles(log)]);
    const run = stack.begin();
    const late = stack.call("model", run, request, async (invocation) => {
      await sleep(5);
      await streams("a")(invocation);
    });
    await run.end();
    const settled = late.then((outcome) => outcome.settled);
    await Promise.race([settled.catch(() => {}), sleep(100)]);
    expect(log).toEqual(["cancelled"]);
  });
});

describe("notifications", () => {
  const observer = (log: Notification[], name = "observer"): Plugin => ({
    name,
    observe: (notification) => void log.push(notification),
  });
  const fails: Plugin = {
    name: "fails",
    observe() {
      throw new RangeError("card 4111");
    },
  };
  const printed = (act: () => void): string[] => {
    const spy = jest.spyOn(console, "error").mockImplementation(() => {});
    try {
      act();
      return spy.mock.calls.map((line) => line.join(" "));
    } finally {
      spy.mockRestore();
    }
  };

  it("reach every plugin's observe, in order, with the run", () => {
    const seen: unknown[] = [];
    const note = (name: string): Plugin => ({
      name,
      observe: (notification, runtime) => void seen.push([name, notification, runtime.runId]),
    });
    const run = begin(note("1"), { name: "other" }, note("2"));
    run.notify(limit);
    expect(seen).toEqual([
      ["1", limit, run.runId],
      ["2", limit, run.runId],
    ]);
  });

  it("are not affected by an observer that throws: the others still run, and the error is reported", () => {
    const log: Notification[] = [];
    expect(printed(() => begin(fails, observer(log)).notify(limit))).toEqual([]);
    const [fault, told] = log;
    expect(told).toEqual(limit);
    expect(fault).toMatchObject({ type: "fault", where: "observe of fails" });
    expect((fault as FaultNotification).error).toBeInstanceOf(RangeError);
  });

  it("log a line without the message if the fault has no observer", () => {
    const lines = printed(() => begin(fails).notify(limit));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("observe of fails");
    expect(lines[0]).toContain("RangeError");
    expect(lines[0]).not.toContain("4111");
  });

  it("log an error of settle if there is no observer, without the message", async () => {
    const bad = staged({
      settle() {
        throw new RangeError("card 4111");
      },
    });
    const { outcome } = await call("model", [bad], request, answers("a"));
    const spy = jest.spyOn(console, "error").mockImplementation(() => {});
    await outcome.final();
    expect(spy.mock.calls.flat().join(" ")).toMatch(/settle.*RangeError/);
    expect(spy.mock.calls.flat().join(" ")).not.toContain("4111");
    spy.mockRestore();
  });

  it("log nothing if there is no observer and no error", () => {
    expect(printed(() => begin().notify(limit))).toEqual([]);
  });

  it("survive an observer that fails asynchronously", async () => {
    const later: Plugin = { name: "later", observe: (async () => Promise.reject(new Error("x"))) as () => void };
    const log: Notification[] = [];
    printed(() => begin(later, observer(log)).notify(limit));
    await sleep(1);
    expect(log).toContainEqual(limit);
  });

  it("tell of a stream that fails to close", async () => {
    const log: Notification[] = [];
    const { run } = await call("model", [observer(log)], request, async (invocation) =>
      invocation.respond({
        stream: {
          [Symbol.asyncIterator]: () => ({
            next: () => Promise.resolve({ done: true, value: undefined }),
            return: () => Promise.reject(new Error("socket")),
          }),
        },
      }),
    );
    await run.end();
    expect(log).toMatchObject([{ type: "fault", where: "closing a stream" }]);
  });
});
