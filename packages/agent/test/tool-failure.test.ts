import { describe, expect, it } from "@jest/globals";
import { createAgent, defineTool } from "@suite/agent";
import type { Plugin } from "@suite/core";
import { call, scripted, shown } from "./support.js";

/** Tries a tool once more. */
const again: Plugin = {
  name: "again",
  async tool(_c, next) {
    await next().catch(() => {});
    await next();
  },
};

describe("an approval", () => {
  const attempts = async (error: unknown) => {
    const counts = { ran: 0, asked: 0 };
    const refund = defineTool({
      name: "refund",
      needsApproval: true,
      execute() {
        counts.ran++;
        if (counts.ran === 1) throw error;
        return "refunded";
      },
    });
    const model = scripted([call("1", "refund", { eur: 10 })], "done");
    const onHumanInput = () => {
      counts.asked++;
      return true;
    };
    await createAgent({ name: "a", model, tools: [refund], plugins: [again], onHumanInput }).run("go");
    return counts;
  };

  it.each<[string, unknown]>([
    ["AbortSignal.timeout", new DOMException("The operation was aborted due to timeout", "TimeoutError")],
    ["undici's timeout", new TypeError("fetch failed", { cause: { code: "UND_ERR_HEADERS_TIMEOUT" } })],
    ["ETIMEDOUT", Object.assign(new Error("connect"), { code: "ETIMEDOUT" })],
    ["504", Object.assign(new Error("Gateway Timeout"), { status: 504 })],
    ["gRPC's deadline", Object.assign(new Error("4 DEADLINE_EXCEEDED"), { code: 4, metadata: {} })],
  ])("does not cover another attempt after %s: a person is asked again", async (_, error) => {
    expect(await attempts(error)).toEqual({ ran: 2, asked: 2 });
  });

  it("covers another attempt after an error of the tool itself", async () => {
    expect(await attempts(new Error("The card was declined"))).toEqual({ ran: 2, asked: 1 });
  });
});

describe.each([false, true])("a tool that returns an error (streamed: %s)", (streaming) => {
  const told = async (execute: () => unknown) => {
    const model = scripted([call("1", "look")], "done");
    const agent = createAgent({ name: "a", model, tools: [defineTool({ name: "look", execute })] });
    const done = await (streaming ? agent.stream("go").result : agent.run("go"));
    return { said: shown(model.asked[1]), part: done.messages.at(-2)?.parts[0] };
  };

  it.each<[string, () => unknown]>([
    ["at once", () => new RangeError("No such page")],
    ["as a promise", async () => new RangeError("No such page")],
    [
      "after progress",
      async function* () {
        yield 1;
        return new RangeError("No such page");
      },
    ],
  ])("has failed with it: %s", async (_, execute) => {
    const { said, part } = await told(execute);
    expect(said).toEqual(["look failed: No such page"]);
    expect(part).toMatchObject({ isError: true });
  });

  it("inside of its result shows the model the error's name and message", async () => {
    const { said, part } = await told(() => ({ ok: false, error: new RangeError("No such page") }));
    expect(said).toEqual([{ ok: false, error: { name: "RangeError", message: "No such page" } }]);
    expect(part).not.toMatchObject({ isError: true });
  });
});
