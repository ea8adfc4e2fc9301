import { describe, expect, it } from "@jest/globals";
import { MiddlewarePipeline, type Plugin } from "@suite/core";
import type { CallCore } from "@suite/core/adapter";
import { PluginStack } from "@suite/core/adapter";
import { answers, call, codeOf, layer, piece, request, sleep, streams, words } from "./support.js";

/** A layer that goes on without waiting for what is further in. */
const hasty = layer(async (_invocation, callNext) => {
  void callNext();
});

describe("callNext", () => {
  it("is refused while an earlier one runs", async () => {
    const twice = layer(async (_invocation, callNext) => {
      await Promise.all([callNext(), callNext()]);
    });
    const slow: CallCore<"model"> = async (invocation) => {
      await sleep(1);
      await answers("x")(invocation);
    };
    expect(await codeOf(call("model", [twice], request, slow))).toBe("ERR_CALL_NEXT_CONCURRENT");
    await sleep(5);
  });

  it("is refused a third time too", async () => {
    const codes: unknown[] = [];
    const thrice = layer(async (_invocation, callNext) => {
      const first = callNext();
      codes.push(...(await Promise.all([codeOf(callNext()), codeOf(callNext())])));
      await first;
    });
    await call("model", [thrice], request, async (invocation) => {
      await sleep(1);
      await answers("x")(invocation);
    });
    expect(codes).toEqual(["ERR_CALL_NEXT_CONCURRENT", "ERR_CALL_NEXT_CONCURRENT"]);
  });

  it("is missed where it was not awaited, with a core that takes time", async () => {
    const slow: CallCore<"model"> = async (invocation) => {
      await sleep(1);
      await answers("x")(invocation);
    };
    const late: unknown[] = [];
    const code = await codeOf(
      call("model", [hasty], request, async (invocation) => void late.push(await codeOf(slow(invocation)))),
    );
    await sleep(5);
    expect([code, late]).toEqual(["ERR_CALL_NEXT_NOT_AWAITED", ["ERR_CALL_NEXT_NOT_AWAITED"]]);
  });

  it("is missed where it was not awaited, with a core that answers at once and a layer that works on", async () => {
    const guard = layer(async (invocation, callNext) => {
      await callNext();
      await sleep(1);
      invocation.pipe({ chunk: (_delta, emit) => emit(piece("guarded")) });
    });
    expect(await codeOf(call("model", [hasty, guard], request, answers("x")))).toBe("ERR_CALL_NEXT_NOT_AWAITED");
    await sleep(5);
  });

  it("that was not awaited lets no answer pass a guard by, also in calls that are not watched", async () => {
    const seen: unknown[] = [];
    const guard = layer(async (invocation, callNext) => {
      await callNext();
      await sleep(1);
      await codeOf(Promise.resolve().then(() => invocation.pipe({})));
    });
    const stack = new PluginStack([hasty, guard]);
    const run = stack.begin();
    for (let calls = 0; calls < 130; calls++) {
      const slowly = async (): Promise<void> => {
        const outcome = await stack.call("model", run, request, answers("secret"));
        await sleep(5);
        await outcome.final();
      };
      seen.push(await codeOf(slowly()));
    }
    expect(new Set(seen)).toEqual(new Set(["ERR_CALL_NEXT_NOT_AWAITED"]));
    await run.end();
  });

  it("that was not awaited, and fails later, leaves no rejection behind", async () => {
    const failing: CallCore<"model"> = async () => {
      await sleep(1);
      throw new Error("too late");
    };
    expect(await codeOf(call("model", [hasty], request, failing))).toBe("ERR_CALL_NEXT_NOT_AWAITED");
    await sleep(5);
  });
});

describe("callNext after its layer has returned", () => {
  const outer = layer(async (_invocation, callNext) => {
    await callNext();
    await sleep(10); // the call goes on after the inner layer has returned
  }, "outer");
  type CallNext = () => Promise<void>;
  /** Layers that keep their `callNext` for later, each in its own way, and answer in its place. */
  const keeping: Record<string, (keep: (callNext: CallNext) => void) => Plugin> = {
    "at once": (keep) =>
      layer(async (invocation, callNext) => {
        keep(callNext);
        await answers("instead")(invocation);
      }),
    "after some work": (keep) =>
      layer(async (invocation, callNext) => {
        await sleep(1);
        keep(callNext);
        await answers("instead")(invocation);
      }),
    "with a first call": (keep) =>
      layer(async (_, callNext) => {
        await callNext();
        keep(callNext);
      }),
    "without a promise": (keep) =>
      layer(((_: unknown, callNext: CallNext) => {
        keep(callNext);
        throw new Error("refused");
      }) as never),
  };

  for (const [name, plugin] of Object.entries(keeping)) {
    it.each([
      ["while the call goes on", 5],
      ["after the call", 20],
    ])(`does not run the core again: kept ${name}, called %s`, async (_, wait) => {
      let ran = 0;
      let late: Promise<unknown> | undefined;
      const keep = (callNext: CallNext): void => {
        late = sleep(wait).then(() => codeOf(Promise.resolve().then(callNext)));
      };
      const core: CallCore<"model"> = async (invocation) => {
        ran++;
        await answers("asked")(invocation);
      };
      const stack = new PluginStack([outer, plugin(keep)]);
      const run = stack.begin();
      await codeOf(stack.call("model", run, request, core));
      const before = ran;
      expect([await late, ran - before]).toEqual(["ERR_CALL_NEXT_NOT_AWAITED", 0]);
      await run.end();
    });
  }

  it("is refused in a pipeline of one's own, too", async () => {
    let ran = 0;
    let late: Promise<unknown> | undefined;
    const pipeline = new MiddlewarePipeline<object>([
      async (_, callNext) => {
        late = sleep(2).then(() => codeOf(callNext()));
      },
    ]);
    await pipeline.execute({}, async () => void ran++);
    expect([await late, ran]).toEqual(["ERR_CALL_NEXT_NOT_AWAITED", 0]);
  });

  it("may come after work of the layer, and again, as long as the layer runs", async () => {
    let ran = 0;
    const slow = layer(async (_, callNext) => {
      await sleep(1);
      await callNext();
      await sleep(1);
      await callNext();
    });
    await call("model", [slow], request, async (invocation) => {
      ran++;
      await answers("x")(invocation);
    });
    expect(ran).toBe(2);
  });
});

describe("an answer that is missing", () => {
  it("is told when no layer has answered, and what to do", async () => {
    const lost = call("model", [layer(async () => {})], request, answers("x"));
    await expect(lost).rejects.toThrow(/model call.*callNext.*respond/);
    expect(await codeOf(call("model", [layer(async () => {})], request, answers("x")))).toBe("ERR_NO_ANSWER");
  });

  it("is told when the core has returned without one", async () => {
    expect(await codeOf(call("model", [], request, async () => {}))).toBe("ERR_NO_ANSWER");
    const pass = layer(async (_invocation, callNext) => callNext());
    expect(await codeOf(call("model", [pass], request, async () => {}))).toBe("ERR_NO_ANSWER");
  });

  it("cannot be piped", async () => {
    const early = layer(async (invocation, callNext) => {
      invocation.pipe({});
      await callNext();
    });
    expect(await codeOf(call("model", [early], request, answers("x")))).toBe("ERR_PIPE_WITHOUT_ANSWER");
  });
});

describe("after the call has returned", () => {
  it("its invocation refuses respond and pipe, and the answer fails rather than pass a guard by", async () => {
    let kept: Parameters<CallCore<"model">>[0] | undefined;
    const keep = layer(async (invocation, callNext) => {
      kept = invocation;
      await callNext();
    });
    const { outcome } = await call("model", [keep], request, streams("a"));
    expect(() => kept?.pipe({})).toThrow(expect.objectContaining({ code: "ERR_CALL_NEXT_NOT_AWAITED" }));
    expect(() => kept?.respond({ stream: words("b") })).toThrow(
      expect.objectContaining({ code: "ERR_CALL_NEXT_NOT_AWAITED" }),
    );
    expect(await codeOf(outcome.final())).toBe("ERR_CALL_NEXT_NOT_AWAITED");
  });
});
