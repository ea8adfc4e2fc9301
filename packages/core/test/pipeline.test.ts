import { describe, expect, it } from "@jest/globals";
import { type Middleware, MiddlewarePipeline, MiddlewareTermination } from "@suite/core";
import { codeOf, sleep } from "./support.js";

interface Fetching {
  url: string;
  body?: string;
  readonly log: string[];
}
const context = (): Fetching => ({ url: "https://example.com", log: [] });
const trace =
  (name: string): Middleware<Fetching> =>
  async ({ log }, callNext) => {
    log.push(`>${name}`);
    await callNext();
    log.push(`<${name}`);
  };

describe("a pipeline", () => {
  it("runs layers of any context around its innermost call, first outermost", async () => {
    const given = context();
    await new MiddlewarePipeline([trace("1"), trace("2")]).execute(given, async (inner) => {
      inner.log.push("core");
      inner.body = `body of ${inner.url}`;
    });
    expect(given).toEqual({ ...context(), body: "body of https://example.com", log: [">1", ">2", "core", "<2", "<1"] });
  });

  it("gives every layer the one context itself", async () => {
    const seen: unknown[] = [];
    const note: Middleware<Fetching> = async (inner, callNext) => {
      seen.push(inner);
      await callNext();
    };
    const given = context();
    await new MiddlewarePipeline([note, note]).execute(given, async (inner) => void seen.push(inner));
    expect(seen.every((each) => each === given)).toBe(true);
    expect(seen).toHaveLength(3);
  });

  it("without layers is its innermost call", async () => {
    const given = context();
    await new MiddlewarePipeline<Fetching>([]).execute(given, async ({ log }) => void log.push("core"));
    expect(given.log).toEqual(["core"]);
  });

  it("takes objects with process beside functions, and keeps their this", async () => {
    const counter = {
      count: 0,
      async process(_context: Fetching, callNext: () => Promise<void>): Promise<void> {
        this.count++;
        await callNext();
      },
    };
    await new MiddlewarePipeline([counter, trace("1")]).execute(context(), async () => {});
    expect(counter.count).toBe(1);
  });

  it("serves many calls at once, each with its own context", async () => {
    const pipeline = new MiddlewarePipeline([trace("1")]);
    const both = [context(), context()];
    await Promise.all(both.map((given, index) => pipeline.execute(given, () => sleep(2 - index))));
    expect(both.map(({ log }) => log)).toEqual([
      [">1", "<1"],
      [">1", "<1"],
    ]);
  });

  it("stops where a layer does not call on", async () => {
    const given = context();
    const cached: Middleware<Fetching> = async (inner) => {
      inner.body = "cached";
    };
    await new MiddlewarePipeline([cached, trace("inner")]).execute(given, async () => {
      throw new Error("not reached");
    });
    expect([given.body, given.log]).toEqual(["cached", []]);
  });

  it("calls on again for a layer that tries again", async () => {
    const given = context();
    let left = 2;
    const retry: Middleware<Fetching> = async (_inner, callNext) => {
      for (let tries = 0; tries < 3; tries++) await callNext().catch(() => {});
    };
    await new MiddlewarePipeline([retry, trace("1")]).execute(given, async () => {
      if (left-- > 0) throw new Error("again");
    });
    expect([given.log, left]).toEqual([[">1", ">1", ">1", "<1"], -1]);
  });

  it("passes errors and terminations through unchanged", async () => {
    const error = new RangeError("theirs");
    const fails = async (): Promise<void> => {
      throw error;
    };
    expect(await codeOf(new MiddlewarePipeline([trace("1")]).execute(context(), fails))).toBe(error);
    expect(await codeOf(new MiddlewarePipeline<Fetching>([]).execute(context(), fails))).toBe(error);
    const stop = new MiddlewareTermination("enough");
    const guard: Middleware<Fetching> = () => Promise.reject(stop);
    const ended = new MiddlewarePipeline([trace("1"), guard]).execute(context(), async () => {});
    expect(await ended.catch((thrown: unknown) => thrown)).toBe(stop);
  });

  it("refuses concurrent callNext", async () => {
    const twice: Middleware<Fetching> = async (_inner, callNext) => {
      await Promise.all([callNext(), callNext()]);
    };
    const run = new MiddlewarePipeline([twice]).execute(context(), () => sleep(1));
    expect(await codeOf(run)).toBe("ERR_CALL_NEXT_CONCURRENT");
  });

  it("finds a missing await, of the outermost and of an inner layer", async () => {
    const hasty: Middleware<Fetching> = async (_inner, callNext) => {
      void callNext();
    };
    for (const layers of [[hasty], [trace("1"), hasty], [hasty, trace("2")]]) {
      const run = new MiddlewarePipeline(layers).execute(context(), () => sleep(1));
      expect(await codeOf(run)).toBe("ERR_CALL_NEXT_NOT_AWAITED");
    }
    await sleep(5);
  });

  it("takes a callNext that is returned for one that is awaited", async () => {
    const given = context();
    const pass: Middleware<Fetching> = (_inner, callNext) => callNext();
    await new MiddlewarePipeline([pass, pass]).execute(given, async () => {
      await sleep(1);
      given.log.push("core");
    });
    expect(given.log).toEqual(["core"]);
  });
});
