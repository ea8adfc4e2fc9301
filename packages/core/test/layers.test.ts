import { describe, expect, it } from "@jest/globals";
import type { AnyInvocation, Delta, Plugin } from "@suite/core";
import { CoreError, MiddlewareTermination, override } from "@suite/core";
import type { CallCore } from "@suite/core/adapter";
import { compose, PluginStack } from "@suite/core/adapter";
import { answers, call, codeOf, copyOfCore, layer, request, said, streams, user, words } from "./support.js";

describe("layers", () => {
  it("run first outermost, before and after what is further in", async () => {
    const log: string[] = [];
    const trace = (name: string): Plugin =>
      layer(async (_invocation, callNext) => {
        log.push(`>${name}`);
        await callNext();
        log.push(`<${name}`);
      });
    await call("model", [trace("1"), trace("2"), trace("3")], request, async (invocation) => {
      log.push("core");
      await answers("a")(invocation);
    });
    expect(log).toEqual([">1", ">2", ">3", "core", "<3", "<2", "<1"]);
  });

  it("are functions, or objects with process, which keep their this", async () => {
    const log: string[] = [];
    class Counter {
      count = 0;
      async process(_invocation: unknown, callNext: () => Promise<void>): Promise<void> {
        this.count++;
        await callNext();
      }
    }
    const counter = new Counter();
    const plugin = {
      name: "method",
      greeting: "hello",
      async model(_invocation: unknown, callNext: () => Promise<void>): Promise<void> {
        log.push(this.greeting);
        await callNext();
      },
    };
    await call("model", [{ name: "object", model: counter }, plugin], request, answers("a"));
    expect([counter.count, log]).toEqual([1, ["hello"]]);
  });

  it("may serve several kinds, and are told which", async () => {
    const seen: string[] = [];
    const serve = async (invocation: AnyInvocation, callNext: () => Promise<void>): Promise<void> => {
      if (invocation.kind === "tool") seen.push(`tool ${invocation.request.tool.name}`);
      else seen.push(invocation.kind);
      await callNext();
    };
    const plugin: Plugin = { name: "several", model: serve, tool: serve };
    await call("model", [plugin], request, answers("a"));
    await call("tool", [plugin], { id: "1", tool: { name: "pay" }, input: {} }, async (c) => c.respond({ value: 1 }));
    expect(seen).toEqual(["model", "tool pay"]);
  });

  it("see no answer before callNext, and the answer after it", async () => {
    const seen: unknown[] = [];
    const look = layer(async (invocation, callNext) => {
      seen.push(invocation.result);
      await callNext();
      seen.push(invocation.result?.streaming);
    });
    await call("model", [look], request, streams("a"));
    expect(seen).toEqual([undefined, true]);
  });

  it("answer in place of all that is further in", async () => {
    const ran: string[] = [];
    const note = (name: string): Plugin =>
      layer(async (_invocation, callNext) => {
        await callNext();
        ran.push(name);
      });
    const cached = layer(async (invocation) => invocation.respond({ stream: words("cached") }));
    const answer = await said("model", [note("outer"), cached, note("inner")], request, async () => {
      ran.push("core");
    });
    expect([answer, ran]).toEqual(["cached", ["outer"]]);
  });

  it("may answer anew after what is further in has answered", async () => {
    const replace = layer(async (invocation, callNext) => {
      await callNext();
      invocation.respond({ value: { message: { role: "assistant", parts: [] } } });
    });
    expect(await said("model", [replace], request, answers("a"))).toBe("");
  });
});

describe("an answer", () => {
  it("is a value, a stream or a suspension: anything else is refused, also nothing", async () => {
    for (const wrong of [{}, { valeu: 1 }]) {
      const answered = call("model", [], request, async (invocation) => invocation.respond(wrong as never));
      expect(await codeOf(answered)).toBe("ERR_NO_ANSWER");
    }
  });
});

describe("the request", () => {
  const rename = (model: string): Plugin =>
    layer(async (invocation, callNext) => {
      invocation.request = override(invocation.request, { model });
      await callNext();
    });

  it("flows inward: inner layers and the core see a replacement", async () => {
    let asked = "";
    await call("model", [rename("a"), rename("b")], request, async (invocation) => {
      asked = invocation.request.model;
      await answers("x")(invocation);
    });
    expect(asked).toBe("b");
  });

  it("does not flow outward: an outer layer keeps its own", async () => {
    let kept = "";
    const outer = layer(async (invocation, callNext) => {
      await callNext();
      kept = invocation.request.model;
    });
    await call("model", [outer, rename("inner")], request, answers("x"));
    expect(kept).toBe("m");
  });

  it("is clean again for each retry, however inner layers replaced it", async () => {
    const asked: number[] = [];
    const twice = layer(async (_invocation, callNext) => {
      await callNext();
      await callNext();
    });
    const addHint = layer(async (invocation, callNext) => {
      const { messages } = invocation.request;
      invocation.request = override(invocation.request, { messages: [...messages, user("hint")] });
      await callNext();
    });
    await call("model", [twice, addHint], request, async (invocation) => {
      asked.push(invocation.request.messages.length);
      await answers("x")(invocation);
    });
    expect(asked).toEqual([2, 2]);
  });

  it("carries to a retry what the retrying layer itself replaced", async () => {
    const asked: string[] = [];
    const fallback = layer(async (invocation, callNext) => {
      await callNext();
      invocation.request = override(invocation.request, { model: "second" });
      await callNext();
    });
    await call("model", [fallback], request, async (invocation) => {
      asked.push(invocation.request.model);
      await answers("x")(invocation);
    });
    expect(asked).toEqual(["m", "second"]);
  });

  it("as the core was asked it, can be seen by every layer afterwards", async () => {
    const seen: (string | undefined)[] = [];
    const look = layer(async (invocation, callNext) => {
      seen.push(invocation.reached?.model);
      await callNext();
      seen.push(invocation.reached?.model);
    });
    await call("model", [look, rename("a"), rename("b")], request, answers("x"));
    expect(seen).toEqual([undefined, "b"]);
  });

  it("is reported as the layer's own if the core failed and a layer answered, but not if the layer rewrote a successful answer", async () => {
    const seen: unknown[] = [];
    const watch = layer(async (invocation, callNext) => {
      await callNext();
      seen.push(invocation.reached?.model);
    });
    const elsewhere = layer(async (invocation, callNext) => {
      await callNext()
        .then(() => invocation.result?.ready())
        .catch(() => {});
      invocation.request = override(invocation.request, { model: "small" });
      await answers("instead")(invocation);
    });
    const inner = layer((invocation, callNext) => {
      invocation.request = override(invocation.request, { model: "routed" });
      return callNext();
    });
    const broken: CallCore<"model"> = async (invocation) => {
      const cut = async function* (): AsyncGenerator<Delta, void> {
        yield* [];
        throw new Error("cut");
      };
      invocation.respond({ stream: cut() });
    };
    for (const core of [() => Promise.reject(new Error("no")), broken, answers("good")]) {
      expect(await said("model", [watch, elsewhere, inner], request, core)).toBe("instead");
    }
    expect(seen).toEqual(["small", "small", "routed"]);
  });

  it.each(["behind the attempt that failed", "in place of the next attempt"])(
    "was not reached where the core failed and a layer had the answer by itself, %s",
    async (when) => {
      const seen: unknown[] = [];
      const watch = layer(async (invocation, callNext) => {
        await callNext();
        seen.push(invocation.reached);
      });
      let entered = 0;
      const cache = layer(async (invocation, callNext) => {
        if (entered++ === 0) await callNext().catch((error) => when.startsWith("in place") && Promise.reject(error));
        invocation.respond({ stream: words("kept") });
      });
      const retry = layer((_, callNext) => callNext().catch(callNext));
      const core: CallCore<"model"> = () => Promise.reject(new Error("no"));
      expect(await said("model", [watch, retry, cache], request, core)).toBe("kept");
      expect(seen).toEqual([undefined]);
    },
  );

  it("was not reached where a layer answered instead", async () => {
    let reached: unknown = "something";
    const look = layer(async (invocation, callNext) => {
      await callNext();
      reached = invocation.reached;
    });
    const cached = layer(async (invocation) => invocation.respond({ stream: words("cached") }));
    await call("model", [look, cached], request, answers("x"));
    expect(reached).toBeUndefined();
  });

  it("is never changed itself", async () => {
    const given = Object.freeze({ ...request });
    await call("model", [rename("other")], given, answers("x"));
    expect(given.model).toBe("m");
  });
});

describe("what is thrown", () => {
  const fails =
    (error: unknown): CallCore<"model"> =>
    async () => {
      throw error;
    };
  const pass = layer(async (_invocation, callNext) => callNext());

  it("by a user's code passes unchanged, the same object", async () => {
    const error = new RangeError("theirs");
    expect(await codeOf(call("model", [pass, pass], request, fails(error)))).toBe(error);
  });

  it("passes also when it is no Error", async () => {
    await expect(call("model", [pass], request, fails("a string"))).rejects.toBe("a string");
  });

  it("can be caught by a layer, which answers instead", async () => {
    const rescue = layer(async (invocation, callNext) => {
      await callNext().catch(() => invocation.respond({ stream: words("sorry") }));
    });
    expect(await said("model", [rescue], request, fails(new Error("down")))).toBe("sorry");
  });

  it("as a termination ends the call, with its scope, whatever the layer", async () => {
    const stop = new MiddlewareTermination("The budget is spent.", { scope: "call" });
    const guard = layer(async () => {
      throw stop;
    });
    const { code, scope, name } = stop;
    expect(await call("model", [pass, guard], request, answers("x")).catch((error: unknown) => error)).toBe(stop);
    expect([code, scope, name]).toEqual(["ERR_MIDDLEWARE_TERMINATED", "call", "MiddlewareTermination"]);
    expect(new MiddlewareTermination("x").scope).toBe("run");
  });

  it("as a termination keeps its cause", () => {
    const cause = new Error("why");
    expect(new MiddlewareTermination("x", { cause }).cause).toBe(cause);
  });

  it("can be an error of another class, which stays what it is", () => {
    class Blocked extends Error {
      readonly code = "ERR_BLOCKED";
    }
    const error = MiddlewareTermination.mark(new Blocked("Found."), "call");
    expect(MiddlewareTermination.is(error)).toBe(true);
    expect(error).toBeInstanceOf(Blocked);
    expect([error.code, error.message, Reflect.get(error, "scope")]).toEqual(["ERR_BLOCKED", "Found.", "call"]);
    expect(Object.keys(error)).toEqual(["code"]);
  });

  it("is recognised across copies of the package, by brand and not by class", async () => {
    const copy = await copyOfCore();
    const theirs = new copy.MiddlewareTermination("x");
    expect(theirs instanceof MiddlewareTermination).toBe(false);
    expect([MiddlewareTermination.is(theirs), CoreError.is(theirs)]).toEqual([true, false]);
    const error = new copy.CoreError("ERR_NO_ANSWER", "x");
    expect([CoreError.is(error), MiddlewareTermination.is(error)]).toEqual([true, false]);
    for (const other of [new Error("x"), null, undefined, "x", {}]) {
      expect([CoreError.is(other), MiddlewareTermination.is(other)]).toEqual([false, false]);
    }
  });
});

describe("compose", () => {
  const nothing: Plugin = { name: "nothing" };

  it("returns undefined for a kind without a layer", () => {
    expect(compose("tool", [])).toBeUndefined();
    expect(compose("tool", [nothing, layer(async () => {})])).toBeUndefined();
    expect(compose("model", [nothing, layer(async () => {})])).toBeInstanceOf(Function);
  });

  it("reports to an adapter that it can call its framework directly", () => {
    const stack = new PluginStack([nothing, layer(async () => {})]);
    expect([stack.has.model, stack.has.tool, stack.has.agent]).toEqual([true, false, false]);
  });
});
