import { describe, expect, it, jest } from "@jest/globals";
import { type AgentOptions, type AgentStream, createAgent, defineTool, type Model } from "@suite/agent";
import type { CallId, Delta, Invocation, Kind, Part, Plugin } from "@suite/core";
import { call, codeOf, type Said, scripted } from "./support.js";

/** A plugin that watches all the runs of a test. */
class Watch {
  /** Runs that have not ended. */
  open = 0;
  /** The ends of calls, inner first. */
  readonly ends: string[] = [];

  get plugin(): Plugin {
    const end = ({ runtime }: Invocation<Kind>, { kind }: CallId, how: string) =>
      this.ends.push(`${runtime.agent?.name} ${kind} ${how}`);
    const layer = async (c: Invocation<Kind>, next: () => Promise<void>): Promise<void> => {
      try {
        await next();
      } catch (error) {
        const cancelled = c.runtime.signal.aborted && error === c.runtime.signal.reason;
        end(c, c.call, cancelled ? "cancelled" : "failed");
        throw error;
      }
      c.pipe({ settle: ({ status }) => void end(c, c.call, status) });
    };
    const hooks = { agent: layer, model: layer, tool: layer } as unknown as Plugin;
    return { ...hooks, name: "watch", begin: () => void this.open++, end: () => void this.open-- };
  }
}

/** Something that happens once. */
function event(): { readonly happens: () => void; readonly happened: Promise<void> } {
  let happens = (): void => {};
  const happened = new Promise<void>((resolve) => {
    happens = resolve;
  });
  return { happens, happened };
}

/** A tool that works until it is told to stop, and one that is done when that is at work. */
function working() {
  const stopped: unknown[] = [];
  const begun = event();
  const work = defineTool({
    name: "work",
    execute: (_input, { signal }) =>
      new Promise((_, reject) => {
        begun.happens();
        signal.addEventListener("abort", () => {
          stopped.push(signal.reason);
          reject(signal.reason);
        });
      }),
  });
  const add = defineTool({ name: "add", execute: () => begun.happened });
  return { work, add, stopped, begun: begun.happened };
}

const cancelled = expect.objectContaining({ code: "ERR_CANCELLED" });
const helped: Part = call("2", "helper", { prompt: "help" });

function agentOf(said: readonly Said[], helper: Partial<AgentOptions> = {}, own: Partial<AgentOptions> = {}) {
  const watch = new Watch();
  const plugins = [watch.plugin];
  const inner = createAgent({ name: "helper", model: scripted([call("1", "work")]), plugins, ...helper });
  const tools = [...(own.tools ?? []), inner.asTool({ description: "Helps." })];
  const agent = createAgent({ name: "outer", model: scripted(...said), plugins, ...own, tools });
  return { agent, watch };
}

/** Reads so many deltas. */
async function read(stream: AgentStream, count: number): Promise<void> {
  for await (const _ of stream) if (--count === 0) break;
}

describe("a consumer that stops reading", () => {
  it("ends the sub-agents that are at work, and what is at work in them", async () => {
    const { work, add, stopped } = working();
    const { agent, watch } = agentOf([[call("1", "add"), helped]], { tools: [work] }, { tools: [add] });
    const stream = agent.stream("go");
    await read(stream, 3);
    expect(stopped).toEqual([cancelled]);
    expect(watch.open).toBe(0);
    expect(watch.ends).toEqual([
      "outer model completed",
      "helper model completed",
      "outer tool completed",
      "helper tool cancelled",
      "helper agent cancelled",
      "outer tool cancelled",
      "outer agent cancelled",
    ]);
    expect(await codeOf(stream.result)).toBe("ERR_CANCELLED");
  });

  it("ends the model call that a sub-agent waits for", async () => {
    let signal: AbortSignal | undefined;
    const asked = event();
    const model: Model = {
      ...scripted(),
      generate: (_request, options) => {
        signal = options.signal;
        asked.happens();
        return new Promise(() => {});
      },
    };
    const add = defineTool({ name: "add", execute: () => asked.happened });
    const { agent, watch } = agentOf([[call("1", "add"), helped]], { model }, { tools: [add] });
    await read(agent.stream("go"), 3);
    expect(signal?.reason).toEqual(cancelled);
    expect(watch.open).toBe(0);
    expect(watch.ends.slice(2)).toEqual([
      "helper model cancelled",
      "helper agent cancelled",
      "outer tool cancelled",
      "outer agent cancelled",
    ]);
  });

  it.each(["deltas", "text"] as const)("may do so while a pull of the %s is under way", async (what) => {
    const { work, stopped, begun } = working();
    const { agent, watch } = agentOf([[call("1", "work")]], {}, { tools: [work] });
    const stream = agent.stream("go");
    const reader: AsyncIterator<Delta | string> =
      what === "text" ? stream.text()[Symbol.asyncIterator]() : stream[Symbol.asyncIterator]();
    const pulling = (async () => {
      while ((await reader.next()).done !== true);
      return "told the end";
    })();
    await begun;
    await reader.return?.();
    expect(await pulling).toBe("told the end");
    expect(await reader.next()).toEqual({ done: true, value: undefined });
    expect(stopped).toEqual([cancelled]);
    expect(watch.open).toBe(0);
  });

  it("may do so before the run has begun: the model is not asked", async () => {
    const [waits, goesOn] = [event(), event()];
    const slow: Plugin = {
      name: "slow",
      async agent(_c, next) {
        waits.happens();
        await goesOn.happened;
        await next();
      },
    };
    const { agent, watch } = agentOf(["never"]);
    const reader = agent.withPlugins([slow]).stream("go")[Symbol.asyncIterator]();
    const first = reader.next();
    await waits.happened;
    const left = reader.return?.();
    goesOn.happens();
    await left;
    expect(await first).toEqual({ done: true, value: undefined });
    expect([watch.open, watch.ends]).toEqual([0, ["outer agent cancelled"]]);
  });

  it("begins nothing where it has not read at all", async () => {
    const { agent, watch } = agentOf(["never"]);
    const stream = agent.stream("go");
    const reader = stream[Symbol.asyncIterator]();
    await reader.return?.();
    expect(await reader.next()).toEqual({ done: true, value: undefined });
    expect([watch.open, watch.ends]).toEqual([0, []]);
  });

  it("does not hold the end for a tool that hears nothing", async () => {
    const deaf = defineTool({ name: "deaf", execute: () => new Promise(() => {}) });
    const add = defineTool({ name: "add", execute: () => 3 });
    const { agent, watch } = agentOf([[call("1", "add"), call("2", "deaf")]], {}, { tools: [add, deaf] });
    await read(agent.stream("go"), 3);
    expect([watch.open, watch.ends.at(-1)]).toEqual([0, "outer agent cancelled"]);
  });

  it("has what was done until then counted", async () => {
    const { work, add } = working();
    const { agent } = agentOf([[call("1", "add"), helped]], { tools: [work] }, { tools: [add] });
    const stream = agent.stream("go");
    await read(stream, 3);
    expect(stream.totals).toMatchObject({
      inferenceCalls: 2,
      toolCalls: 3,
      byAgent: { subAgents: [{ toolCalls: 1 }] },
    });
  });

  it("receives an error if a layer has read an answer that was then aborted, and the run has ended", async () => {
    const aborting = new AbortController();
    const reads: Plugin = {
      name: "reads",
      async agent(c, next) {
        await next();
        aborting.abort(new Error("user left"));
        await c.result?.final().catch(() => {});
      },
    };
    const { agent, watch } = agentOf(["never"]);
    const stream = agent.withPlugins([reads]).stream("go", { signal: aborting.signal });
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toThrow("user left");
    expect(watch.open).toBe(0);
  });

  it("has no time counted after it, in which nothing is at work", async () => {
    const { agent } = agentOf(["a long answer"]);
    const stream = agent.stream("go");
    await read(stream, 1);
    const ended = stream.totals?.durationMs;
    const clock = jest.spyOn(performance, "now").mockReturnValue(performance.now() + 60_000);
    expect(stream.totals?.durationMs).toBe(ended);
    clock.mockRestore();
  });

  it("is not the one who tries to read a stream that has a reader", async () => {
    const { agent } = agentOf(["a long answer"]);
    const stream = agent.stream("go");
    const reader = stream[Symbol.asyncIterator]();
    await reader.next();
    const second = stream[Symbol.asyncIterator]();
    const refused = codeOf(second.next());
    for (let step = await reader.next(); step.done !== true; ) step = await reader.next();
    expect(await refused).toBe("ERR_ALREADY_CONSUMED");
    await second.return?.();
    expect(await stream.result).toMatchObject({ text: "a long answer" });
  });
});

describe("what is at work in a run", () => {
  it("is told by the run's signal when the run fails", async () => {
    const { work, add, stopped } = working();
    const refuse: Plugin = {
      name: "refuse",
      async agent(c, next) {
        await next();
        c.pipe({
          chunk(delta, emit) {
            if (delta.type === "event") throw new Error("enough");
            emit(delta);
          },
        });
      },
    };
    const { agent, watch } = agentOf([[call("1", "add"), helped]], { tools: [work] }, { tools: [add] });
    await expect(agent.withPlugins([refuse]).stream("go").result).rejects.toThrow("enough");
    expect(stopped).toEqual([cancelled]);
    expect(watch.open).toBe(0);
  });

  it("is told of an abort by its own reason", async () => {
    const { work, add, stopped, begun } = working();
    const { agent, watch } = agentOf([[call("1", "add"), helped]], { tools: [work] }, { tools: [add] });
    const aborting = new AbortController();
    const running = agent.run("go", { signal: aborting.signal });
    await begun;
    const reason = new Error("user left");
    aborting.abort(reason);
    await expect(running).rejects.toBe(reason);
    expect(stopped).toEqual([reason]);
    expect(watch.open).toBe(0);
  });

  it("leaves a signal that was not aborted where the run ended by itself", async () => {
    let signal: AbortSignal | undefined;
    const look = defineTool({
      name: "look",
      execute(_input, runtime) {
        signal = runtime.signal;
      },
    });
    const { agent } = agentOf([[call("1", "look")], "done"], {}, { tools: [look] });
    await agent.run("go");
    expect(signal?.aborted).toBe(false);
  });
});
