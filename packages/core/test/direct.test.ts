import { getEventListeners } from "node:events";
import { promiseHooks } from "node:v8";
import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { type Plugin, type RuntimeContext, redactorOf } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import { ambientStorage, FrameworkRuns } from "@suite/core/framework";
import { propagatorsKey } from "@suite/core/propagation";
import { codeOf, sleep } from "./support.js";

/** The number of promises that `work` makes before it returns. */
function promisesOf(work: () => unknown): number {
  let made = 0;
  const stop = promiseHooks.onInit(() => {
    made++;
  }) as () => void;
  try {
    work();
  } finally {
    stop();
  }
  return made;
}

const log: string[] = [];
const watching: Plugin = {
  name: "watching",
  begin: () => void log.push("begin"),
  end: () => void log.push("end"),
  observe: () => {},
};

afterEach(() => {
  log.length = 0;
});

describe("a run without a layer", () => {
  it("counts promises", () => {
    expect(promisesOf(() => Promise.resolve().then(() => {}))).toBe(2);
  });

  it("is begun and ended without a promise, and without listening to the caller", () => {
    const runs = new FrameworkRuns(new PluginStack([watching, { name: "observes", observe() {} }]));
    const { signal } = new AbortController();
    const seen: number[] = [];
    const made = promisesOf(() => {
      const run = runs.begin({ signal });
      runs.inside(run, "model", () => seen.push(getEventListeners(signal, "abort").length));
      void run.finish();
      void run.end();
    });
    expect([made, seen, log]).toEqual([0, [0], ["begin", "end"]]);
  });

  it("ends with its promise, if an `end` returns one", async () => {
    const slow: Plugin = { name: "slow", end: () => sleep(1).then(() => void log.push("slow")) };
    const run = new PluginStack([slow, watching]).begin();
    const ending = run.finish();
    expect([ending, log]).toEqual([expect.any(Promise), ["begin"]]);
    expect(run.finish()).toBe(ending);
    await ending;
    expect([run.finish(), log]).toEqual([undefined, ["begin", "slow", "end"]]);
  });

  it("reports an `end` that fails, with a promise or without, and goes on to the next", async () => {
    const faults: string[] = [];
    const plugins: Plugin[] = [
      { name: "throws", end: () => Promise.reject(new Error("late")) },
      {
        name: "at-once",
        end() {
          throw new Error("now");
        },
      },
      {
        ...watching,
        observe: (event) => {
          if (event.type === "fault") faults.push(event.where);
        },
      },
    ];
    await new PluginStack(plugins).begin().end();
    expect([faults, log]).toEqual([
      ["end of throws", "end of at-once"],
      ["begin", "end"],
    ]);
  });

  it("knows of an abort before anybody listened, and tells who asks later", () => {
    const controller = new AbortController();
    const run = new PluginStack().begin({ signal: controller.signal });
    controller.abort("enough");
    expect(() => run.check()).toThrow("enough");
    expect([run.signal.aborted, run.signal.reason]).toEqual([true, "enough"]);
  });
});

describe("a plugin whose begin throws", () => {
  it("leaves no listener, and those before it have their end", async () => {
    const { signal } = new AbortController();
    const greedy: Plugin = {
      name: "greedy",
      begin: (runtime) => void runtime.signal,
      end: () => void log.push("greedy"),
    };
    const broken: Plugin = {
      name: "broken",
      begin() {
        throw new Error("no");
      },
      end: () => void log.push("broken"),
    };
    const stack = new PluginStack([watching, greedy, broken, { ...watching, name: "later" }]);
    expect(() => stack.begin({ signal })).toThrow("no");
    expect(log).toEqual(["begin", "end", "greedy"]);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  it("later than it returned is reported, and breaks nothing", async () => {
    const error = jest.spyOn(console, "error").mockImplementation(() => {});
    const late = { name: "late", begin: () => Promise.reject(new Error("late")) } as unknown as Plugin;
    const run = new PluginStack([late]).begin();
    await sleep(0);
    expect(error).toHaveBeenCalledWith("@suite/core: begin of late threw Error");
    error.mockRestore();
    await run.end();
  });
});

describe("hasAny", () => {
  it("asks for hooks of all sorts", () => {
    const stack = new PluginStack([
      { name: "p", systemPrompt: (prompt) => prompt },
      { name: "t", tool: async () => {} },
    ]);
    expect(stack.has).toMatchObject({ systemPrompt: true, tool: true, model: false, observe: false });
    expect(stack.hasAny(["model", "observe"])).toBe(false);
    expect(stack.hasAny(["model", "systemPrompt"])).toBe(true);
    expect(stack.hasAny([])).toBe(false);
  });
});

describe("a direct call", () => {
  it("has a run that ends with it, and makes one promise more than the framework", async () => {
    const runs = new FrameworkRuns(new PluginStack([watching]));
    const answer = Promise.resolve("said");
    expect(promisesOf(() => void runs.direct("model", () => answer))).toBe(1);
    expect(await runs.direct("model", () => answer)).toBe("said");
    expect(log).toEqual(["begin", "begin", "end", "end"]);
  });

  it("ends its run if the framework rejects or throws, with its error", async () => {
    const runs = new FrameworkRuns(new PluginStack([watching]));
    const error = Object.assign(new Error("broken"), { code: "BROKEN" });
    expect(await codeOf(runs.direct("model", () => Promise.reject(error)))).toBe("BROKEN");
    expect(() =>
      runs.direct("model", () => {
        throw error;
      }),
    ).toThrow(error);
    expect(log).toEqual(["begin", "end", "begin", "end"]);
  });

  it("waits for an `end` that gives a promise, also after an error", async () => {
    const slow: Plugin = { name: "slow", end: () => sleep(5).then(() => void log.push("end")) };
    const runs = new FrameworkRuns(new PluginStack([slow]));
    await runs.direct("model", async () => "said");
    expect(log).toEqual(["end"]);
    expect(await codeOf(runs.direct("model", () => Promise.reject({ code: "E" })))).toBe("E");
    expect(log).toEqual(["end", "end"]);
  });

  it("is visible to code inside of it if a plugin set a value there", async () => {
    const redactor = { redact: () => "-", value: () => "-" };
    const leaves: Plugin = {
      name: "leaves",
      begin: (runtime) => void runtime.get(propagatorsKey).push({ inject: () => ({}) }),
    };
    const found: (RuntimeContext | undefined)[] = [];
    const look = async () => void found.push(ambientStorage()?.getStore()?.runtime);
    for (const plugin of [leaves, { name: "r", redactor }, { name: "observes", observe() {} }]) {
      await new FrameworkRuns(new PluginStack([plugin])).direct("model", look);
    }
    expect(found.map((run) => run !== undefined)).toEqual([true, true, false]);
  });

  it("gives what is called in it the redactors round it", async () => {
    const redactor = { redact: () => "-", value: () => "-" };
    const outer = new FrameworkRuns(new PluginStack([{ name: "r", redactor }]));
    const inner = new FrameworkRuns(new PluginStack([watching]));
    await outer.direct("agent", async () => {
      expect(redactorOf(inner.begin())?.redact("secret")).toBe("-");
    });
  });

  it("begins no run in one of its own", async () => {
    const runs = new FrameworkRuns(new PluginStack([watching]));
    await runs.direct("agent", () => runs.direct("model", async () => "said"));
    expect(log).toEqual(["begin", "end"]);
  });
});
