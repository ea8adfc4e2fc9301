import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { type Notification, override, type Plugin, type Reply } from "@suite/core";
import type { CallCore } from "@suite/core/adapter";
import type { AttemptNotification } from "@suite/core/contract";
import { answers, call, codeOf, layer, request, said, settles, sleep, text, words } from "./support.js";

let now = 0;
beforeEach(() => {
  now = 1000;
  jest.spyOn(Date, "now").mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const pass: NonNullable<Plugin["model"]> = async (_, next) => next();
/** Notes what it is told, as [number, how it ended, from, to]. */
const watcher = (log: unknown[], name = "watcher", model: Plugin["model"] | undefined = pass): Plugin => ({
  name,
  ...(model !== undefined && { model }),
  observe(told) {
    if (told.type !== "attempt") return;
    log.push([told.attempt, told.settlement.status, told.startedAt, told.endedAt]);
  },
});
/** Tries again so often, after a pause. */
const retry = (times: number, pause = 0, name = "retry"): Plugin =>
  layer(async (invocation, next) => {
    for (let left = times; ; left--) {
      try {
        await next();
        return await invocation.result?.ready();
      } catch (error) {
        if (left === 0) throw error;
        now += pause;
      }
    }
  }, name);
/** Fails so often, which takes 10 each time, by throwing or by a stream that breaks; then answers. */
const flaky = (breaks: number, how: "throws" | "breaks" = "throws"): CallCore<"model"> => {
  let left = breaks;
  return async (invocation) => {
    now += 10;
    const fails = left-- > 0;
    if (fails && how === "throws") throw new Error("429");
    invocation.respond({
      stream: (async function* () {
        if (fails) throw new Error("429");
        yield* words("o", "k");
      })(),
    });
  };
};
const tell = async (plugins: readonly Plugin[], core: CallCore<"model">) => {
  const told: AttemptNotification[] = [];
  const observe = (each: Notification): void => void (each.type === "attempt" && told.push(each));
  await said("model", [{ name: "observer", observe }, ...plugins], request, core);
  return told;
};

describe("an attempt that another took the place of", () => {
  it.each(["throws", "breaks"] as const)(
    "is reported to outer plugins, with its error and its duration: a core that %s",
    async (how) => {
      const log: unknown[] = [];
      expect(await said("model", [watcher(log), retry(2, 500)], request, flaky(2, how))).toBe("ok");
      expect(log).toEqual([
        [1, "failed", 1000, 1010],
        [2, "failed", 1510, 1520],
      ]);
      const [first] = await tell([retry(1)], flaky(1, how));
      expect(first).toMatchObject({
        call: { kind: "model" },
        request: { model: "m" },
        settlement: { error: { message: "429" } },
      });
    },
  );

  it("is told to who has no layer of that kind", async () => {
    expect(await tell([retry(3)], flaky(3))).toHaveLength(3);
  });

  it("is not reported to inner plugins, which have seen it, or to the plugin that retried", async () => {
    const log: unknown[] = [];
    const { model } = retry(2);
    const plugins = [watcher(log, "itself", model), watcher(log, "inner")];
    expect(await said("model", plugins, request, flaky(2))).toBe("ok");
    expect(log).toEqual([]);
  });

  it("is reported once, by the layer that gave it up, if several retry", async () => {
    const outer: unknown[] = [];
    const between: unknown[] = [];
    const inner: unknown[] = [];
    const plugins = [
      watcher(outer, "1"),
      retry(1, 0, "r1"),
      watcher(between, "2"),
      retry(1, 0, "r2"),
      watcher(inner, "3"),
    ];
    expect(await said("model", plugins, request, flaky(3))).toBe("ok");
    expect([outer, between, inner].map((log) => log.map((entry) => (entry as unknown[])[0]))).toEqual([
      [1, 2, 3],
      [1, 3],
      [],
    ]);
  });

  it("is reported by the outermost layer that retried, if an inner one also has to", async () => {
    const between: unknown[] = [];
    const outer: unknown[] = [];
    let entered = 0;
    const gate = layer((_, next) => (++entered === 2 ? Promise.reject(new Error("not yet")) : next()));
    const patient = layer((_, next) =>
      next().catch((error: Error) => (error.message === "not yet" ? next() : Promise.reject(error))),
    );
    const plugins = [watcher(outer), retry(1), watcher(between, "between"), patient, gate];
    expect(await said("model", plugins, request, flaky(1))).toBe("ok");
    expect([outer.length, between.length]).toEqual([1, 0]);
  });

  it("is told when a layer answers by itself after it has failed, and not when it rewrites a good answer", async () => {
    const instead: Plugin = layer(async (invocation, next) => {
      await next()
        .then(() => invocation.result?.ready())
        .catch(() => {});
      now += 500;
      for (const content of ["no", "instead"]) {
        invocation.respond({ value: { message: { role: "assistant", parts: [text(content)] } } });
      }
    });
    const log: unknown[] = [];
    for (const how of ["throws", "breaks"] as const) {
      expect(await said("model", [watcher(log), instead], request, flaky(1, how))).toBe("instead");
    }
    expect(log).toEqual([
      [1, "failed", 1000, 1010],
      [1, "failed", 1510, 1520],
    ]);
    expect(await tell([instead], answers("good"))).toEqual([]);
  });

  it("contains the request of that attempt: the model that failed, if a layer falls back to another", async () => {
    const fallback = layer((invocation, next) =>
      next().catch(() => {
        invocation.request = override(invocation.request, { model: "small" });
        return next();
      }),
    );
    const [attempt, ...more] = await tell([fallback], flaky(1));
    expect([attempt?.request, more]).toMatchObject([{ model: "m" }, []]);
  });

  const usage = { inputTokens: 3, outputTokens: 1 };
  const value: Reply = { message: { role: "assistant", parts: [text("hm")] }, usage };
  it.each([
    ["read", true, "completed"],
    ["not read", false, "cancelled"],
  ] as const)("contains its usage if its answer was discarded, %s", async (_, reads, status) => {
    const picky = layer(async (invocation, next) => {
      await next();
      if (reads) await invocation.result?.final();
      await next();
    });
    expect(await tell([picky], async (invocation) => invocation.respond({ value }))).toMatchObject([
      { settlement: { status }, usage },
    ]);
    const streamed = await tell([picky], async (invocation) => invocation.respond({ stream: words("a") }));
    expect(streamed).toMatchObject([{ settlement: { status } }]);
    expect(streamed[0]?.usage).toEqual(reads ? { inputTokens: 1, outputTokens: 1 } : undefined);
  });

  it("is reported as it happened, each by itself", async () => {
    const log: unknown[] = [];
    let asked = 0;
    const again = layer(async (invocation, next) => {
      await next().catch(next);
      await invocation.result?.final();
      await next();
    });
    await said("model", [watcher(log), again], request, (invocation) => flaky(asked++ === 0 ? 1 : 0)(invocation));
    expect(log.map((entry) => (entry as unknown[])[1])).toEqual(["failed", "completed"]);
  });

  it("is told when it is over, before the next begins", async () => {
    const log: string[] = [];
    const observe = ({ type }: Notification): void => void log.push(type);
    await said("model", [{ name: "o", observe }, retry(1), settles(log)], request, async (invocation) => {
      log.push("asked");
      await flaky(log.includes("attempt") ? 0 : 1, "breaks")(invocation);
    });
    expect(log).toEqual(["asked", "failed", "attempt", "asked", "completed"]);
  });

  it("is told of every kind of call, on the call itself", async () => {
    const told: AttemptNotification[] = [];
    const observe = (each: Notification): void => void (each.type === "attempt" && told.push(each));
    const again: Plugin = {
      name: "again",
      async tool(_, next) {
        await next();
        await next();
      },
    };
    const asked = { id: "1", tool: { name: "look" }, input: 7 };
    const { outcome } = await call("tool", [{ name: "o", observe }, again], asked, async (invocation) =>
      invocation.respond({ value: { usage: "a tool's own" } }),
    );
    await outcome.final();
    expect(told).toMatchObject([{ call: { kind: "tool" }, request: { input: 7 } }]);
    expect(told[0]).not.toHaveProperty("usage");
  });

  it("leaves the call alone, whatever an observer makes of it", async () => {
    const bad: Plugin = {
      name: "bad",
      observe() {
        throw new Error("observer");
      },
    };
    jest.spyOn(console, "error").mockImplementation(() => {});
    expect(await said("model", [bad, retry(1)], request, flaky(1))).toBe("ok");
  });
});

describe("nothing is told", () => {
  it("of a call that was tried once, well or badly, nor of the last attempt", async () => {
    const log: unknown[] = [];
    await said("model", [watcher(log), retry(1)], request, flaky(0));
    await expect(call("model", [watcher(log), layer(pass)], request, flaky(1))).rejects.toThrow("429");
    expect(log).toEqual([]);
    await expect(call("model", [watcher(log), retry(1)], request, flaky(5))).rejects.toThrow("429");
    expect(log).toHaveLength(1);
  });

  it("of an attempt that did not reach the innermost call", async () => {
    let open = false;
    const gate = layer(async (_, next) => {
      if (!open) {
        open = true;
        throw new Error("not yet");
      }
      await next();
    });
    expect(await tell([retry(1), gate], flaky(0))).toEqual([]);
  });

  it("of an attempt that was refused since another was running", async () => {
    const twice = layer(async (_, next) => {
      const first = next();
      expect(await codeOf(next())).toBe("ERR_CALL_NEXT_CONCURRENT");
      await first;
    });
    const slow: CallCore<"model"> = async (invocation) => {
      await sleep(1);
      await answers("ok")(invocation);
    };
    expect(await tell([twice], slow)).toEqual([]);
  });
});
