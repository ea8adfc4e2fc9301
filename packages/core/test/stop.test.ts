import { getEventListeners } from "node:events";
import { describe, expect, it, jest } from "@jest/globals";
import {
  type CallId,
  type CallNext,
  type Delta,
  type Invocation,
  type Notification,
  type Outcome,
  onAbort,
  type Plugin,
  type Reply,
  textOf,
} from "@suite/core";
import { PluginStack, type Run } from "@suite/core/adapter";
import { answers, codeOf, endsWithin, layer, request, sleep, streams } from "./support.js";

const cancelled = expect.objectContaining({ code: "ERR_CANCELLED" });
const limit: Notification = { type: "limit", limit: "rounds", maximum: 3 };

/** A core that is at work until its run is told to stop. */
const untilStopped = ({ runtime: { signal } }: Invocation<"model">): Promise<never> =>
  new Promise((_, reject) => onAbort(signal, () => reject(signal.reason)));

describe("a run that ends while a call is at work", () => {
  it("tells it to stop through the signal, and waits for its layers before the plugins' end", async () => {
    const log: unknown[] = [];
    const slow: Plugin = {
      name: "slow",
      async model(_c, next) {
        await next().catch(async (error: unknown) => {
          await sleep(5);
          log.push(error);
          throw error;
        });
      },
      end: () => void log.push("end"),
    };
    const stack = new PluginStack([slow]);
    const run = stack.begin();
    const calling = codeOf(stack.call("model", run, request, untilStopped));
    await run.end();
    expect(log).toEqual([cancelled, "end"]);
    expect(await calling).toBe("ERR_CANCELLED");
  });

  it("tells it the reason that it ends for", async () => {
    const stack = new PluginStack();
    const run = stack.begin();
    const calling = codeOf(stack.call("model", run, request, untilStopped));
    await run.end("bye");
    expect([run.signal.reason, await calling]).toEqual(["bye", "bye"]);
  });

  it("waits for calls inside before it settles the answer that they are for", async () => {
    const log: string[] = [];
    const note: Plugin = {
      name: "note",
      async agent(c, next) {
        await next();
        c.pipe({ settle: ({ status }) => void log.push(`agent ${status}`) });
      },
      model: (_c, next) =>
        next().catch(async () => {
          await sleep(5);
          log.push("model");
        }),
    };
    const stack = new PluginStack([note]);
    const run = stack.begin();
    await stack.call("agent", run, { messages: [] }, async (agent) => {
      void stack.call("model", run, request, untilStopped, agent.call).catch(() => {});
      await streams("a")(agent as unknown as Invocation<"model">);
    });
    await run.end();
    expect(log).toEqual(["model", "agent cancelled"]);
  });

  it("abandons all calls that ignore the signal together, nested or not", async () => {
    const stack = new PluginStack();
    const run = stack.begin();
    const deaf = () => new Promise<void>(() => {});
    let parent: CallId | undefined;
    for (let i = 0; i < 6; i++) {
      void stack.call("model", run, request, deaf, parent);
      parent = run.identify("agent", parent);
    }
    expect(await endsWithin(1000, () => run.end())).toBe(true);
  });

  it("makes no further attempt for a layer that continues after the end, and reports none", async () => {
    const told: Notification[] = [];
    const watch: Plugin = { name: "watch", observe: (notification) => void told.push(notification) };
    let goOn = (): void => {};
    const stubborn = layer(async (_c, next: CallNext) => {
      await next().catch(() => {});
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      await next();
    });
    const stack = new PluginStack([watch, stubborn]);
    const run = stack.begin();
    let asked = 0;
    const calling = codeOf(
      stack.call("model", run, request, (invocation) => {
        asked++;
        return untilStopped(invocation);
      }),
    );
    await run.end();
    goOn();
    expect(await calling).toBe("ERR_CANCELLED");
    expect([asked, told]).toEqual([1, []]);
  });

  it("has a signal without a reason if all calls had ended", async () => {
    const stack = new PluginStack();
    const run = stack.begin();
    const { signal } = run;
    await (await stack.call("model", run, request, answers("a"))).final();
    await run.end();
    expect(signal.aborted).toBe(false);
  });

  it("lets the signal that it was given go", async () => {
    const { signal } = new AbortController();
    const runs = Array.from({ length: 50 }, () => new PluginStack().begin({ signal }));
    for (const run of runs) run.check();
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    await Promise.all(runs.map((run) => run.end()));
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });
});

describe("a run that is told of an abort alone", () => {
  const stack = new PluginStack([{ name: "layer", model: (_, callNext) => callNext() }]);
  const begun = (signal: AbortSignal) => stack.begin({ signal, onAbort: "tell" });

  it("returns later chunks, starts later calls, and notifies the layers", async () => {
    const aborting = new AbortController();
    const run = begun(aborting.signal);
    const late = await stack.call("model", run, request, streams("late"));
    expect(run.signal.aborted).toBe(false);
    aborting.abort("enough");
    expect(run.signal.reason).toBe("enough");
    const after = await stack.call("model", run, request, streams("after"));
    expect([textOf((await late.final()).message), textOf((await after.final()).message)]).toEqual(["late", "after"]);
    await run.end();
  });

  it("tells who asks for the signal later", () => {
    expect(begun(AbortSignal.abort("enough")).signal.reason).toBe("enough");
  });

  it("takes a source that ends with its reason for cancelled, and one with another error for failed", async () => {
    const reason = new Error("enough");
    const run = begun(AbortSignal.abort(reason));
    const endedBy = async (error: Error) => {
      const outcome = await stack.call("model", run, request, async (invocation) => {
        invocation.respond({
          // biome-ignore lint/correctness/useYield: it breaks before it says anything.
          stream: (async function* () {
            throw error;
          })(),
        });
      });
      await outcome.final().catch(() => {});
      return outcome.settled;
    };
    const other = new Error("broken");
    expect(await endedBy(reason)).toEqual({ status: "cancelled", reason });
    expect(await endedBy(other)).toEqual({ status: "failed", error: other });
  });

  it.each<[string, (answer: Outcome<Delta, Reply>, run: Run) => Promise<unknown>]>([
    ["whose reader stops after it", async (answer) => answer[Symbol.asyncIterator]().return?.()],
    ["that is open when the run ends after it", (_, run) => run.end()],
  ])("cancels an answer %s for the abort's reason", async (_, leave) => {
    const aborting = new AbortController();
    const run = begun(aborting.signal);
    const answer = await stack.call("model", run, request, streams("late"));
    aborting.abort("enough");
    await leave(answer, run);
    expect(await answer.settled).toEqual({ status: "cancelled", reason: "enough" });
    await run.end();
  });
});

describe("what is told after a run has ended", () => {
  it("reaches no observer, who could look nothing up any more", async () => {
    const told: Notification[] = [];
    const run = new PluginStack([{ name: "watch", observe: (notification) => void told.push(notification) }]).begin();
    await run.end();
    run.notify(limit);
    expect(told).toEqual([]);
  });

  it("leaves a line if it is a fault, without the message", async () => {
    const run = new PluginStack([{ name: "watch", observe: () => {} }]).begin();
    await run.end();
    const spy = jest.spyOn(console, "error").mockImplementation(() => {});
    run.fault("settle", new RangeError("card 4111"));
    expect(spy.mock.calls).toEqual([["@suite/core: settle threw RangeError"]]);
    spy.mockRestore();
  });
});

describe("onAbort", () => {
  it("tells all that listen, once, and not those who left", () => {
    const aborting = new AbortController();
    const heard: string[] = [];
    const offs = ["a", "b", "c"].map((name) => onAbort(aborting.signal, () => heard.push(name)));
    offs[1]?.();
    aborting.abort();
    expect(heard).toEqual(["a", "c"]);
    offs[0]?.();
  });

  it("notifies at once if the signal has aborted", () => {
    let heard = 0;
    onAbort(AbortSignal.abort(), () => heard++)();
    expect(heard).toBe(1);
  });

  it("is one listener to the signal, and none when all have left", () => {
    const { signal } = new AbortController();
    const offs = Array.from({ length: 50 }, () => onAbort(signal, () => {}));
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    for (const off of offs) off();
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
    onAbort(signal, () => {});
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
  });
});
