import { expect, it } from "@jest/globals";
import type { Plugin } from "@suite/core";
import { cache, repairToolCall, retryTool, toolErrors, undo } from "@suite/resilience";
import type { ModelAnswer, Observed } from "@suite/testkit";
import { describeInFramework, type SubjectOf } from "./in-framework.js";

const usage = { inputTokens: 10, outputTokens: 5 };
const asks = (args: unknown): ModelAnswer => ({ toolCalls: [{ id: "1", name: "add", arguments: args }], usage });
const says = (text: string): ModelAnswer => ({ text, usage });

/** Holds what asks again, or need not ask again, in one framework, whole and streamed: the cache, retries of tools, and what the model is told of them. */
export function describeRepeated(name: string, subjectOf: SubjectOf): void {
  describeInFramework(`repeated calls in ${name}`, subjectOf, ({ subject, stream }) => {
    let ran: unknown[] = [];
    /** A run whose tool fails so often before it adds. */
    const run = (
      plugins: readonly Plugin[],
      answers: readonly ModelAnswer[],
      { failures = 0, streamed = stream } = {},
    ): Promise<Observed> => {
      ran = [];
      const parameters = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };
      const execute = (input: unknown) => {
        ran.push((input as { id: string }).id);
        if (ran.length <= failures) throw new RangeError("the key is hunter2");
        return "added";
      };
      const tools = [{ name: "add", description: "adds", parameters, execute }];
      return subject.run({ plugins, answers, input: "go", tools, stream: streamed });
    };

    it("cache answers the same run again, tools and all, and asks no model", async () => {
      const plugins = [cache({ tenant: "everyone" })];
      const first = await run(plugins, [asks({ id: "1" }), says("onion")]);
      expect([first.text, first.prompts.length]).toEqual(["onion", 2]);
      // A framework may put ids of the provider's into the history, which a kept answer has not: that round is asked once more.
      await run(plugins, [says("onion")]);
      const again = await run(plugins, [says("never")]);
      expect(again.error).toBeUndefined();
      expect([again.text, again.prompts.length, ran]).toEqual(["onion", 0, ["1"]]);
      if (stream) expect(again.pieces.join("")).toContain("onion");
    });

    it("cache answers who asks otherwise: streamed, or whole", async () => {
      const plugins = [cache({ tenant: "everyone" })];
      await run(plugins, [says("onion")], { streamed: !stream });
      const again = await run(plugins, [says("never")]);
      expect([again.text, again.prompts.length]).toEqual(["onion", 0]);
    });

    it("cache keeps nothing that was cut off", async () => {
      const plugins = [cache({ tenant: "everyone" })];
      await run(plugins, [{ text: "an oni", usage, finishReason: "length" }]);
      expect((await run(plugins, [says("onion")])).prompts).toHaveLength(1);
    });

    it("retryTool runs the tool again until it has done its work", async () => {
      const plugins = [retryTool({ tools: ["add"], initialDelay: 0 })];
      const seen = await run(plugins, [asks({ id: "1" }), says("done")], { failures: 2 });
      expect([seen.text, ran]).toEqual(["done", ["1", "1", "1"]]);
      expect(seen.prompts[1]).toContain("added");
    });

    it("retryTool sends a message to the model when it gives up, with only the name of the error", async () => {
      const plugins = [retryTool({ tools: ["add"], initialDelay: 0, maxAttempts: 2 })];
      const seen = await run(plugins, [asks({ id: "1" }), says("done")], { failures: 2 });
      expect([seen.text, ran]).toEqual(["done", ["1", "1"]]);
      expect(seen.prompts[1]).toContain("add failed after 2 attempts");
      expect(seen.prompts[1]).not.toContain("hunter2");
    });

    it("toolErrors sends the configured text of an error to the model, and the run continues", async () => {
      const plugins = [toolErrors({ errors: RangeError, text: () => "Ask for the number." })];
      const seen = await run(plugins, [asks({ id: "1" }), says("done")], { failures: 1 });
      expect([seen.error, seen.text]).toEqual([undefined, "done"]);
      expect(seen.prompts[1]).toContain("Ask for the number.");
      expect(seen.prompts[1]).not.toContain("hunter2");
    });

    it("undo reverses the effects of a tool if the run fails, and none if it completes", async () => {
      const undone: unknown[] = [];
      const way = (input: unknown, result: unknown) => void undone.push([(input as { id: string }).id, result]);
      const plugins = [undo({ tools: { add: way } })];
      await run(plugins, [asks({ id: "1" }), says("done")]);
      expect(undone).toEqual([]);
      const seen = await run(plugins, [asks({ id: "1" }), { fault: { status: 400 }, message: "No." } as ModelAnswer]);
      expect(seen.error).toBeDefined();
      // A framework may tell of the error of a stream before its run has ended.
      for (let tries = 0; undone.length === 0 && tries < 200; tries++)
        await new Promise((resolve) => setTimeout(resolve, 5));
      expect(undone).toEqual([["1", "added"]]);
    });

    it.each([
      ["are no JSON", '{"id":'],
      ["do not fit the schema", { id: 1 }],
    ])("repairToolCall mends arguments that %s, before the tool runs", async (_, broken) => {
      const plugins = [repairToolCall()];
      const seen = await run(plugins, [asks(broken), asks({ id: "7" }), says("done")]);
      expect([seen.error, seen.text, ran]).toEqual([undefined, "done", ["7"]]);
      expect(seen.prompts).toHaveLength(3);
      expect(seen.prompts[1]).toContain("Call add again");
    });
  });
}
