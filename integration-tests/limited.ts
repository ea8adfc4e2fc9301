import { expect, it } from "@jest/globals";
import type { Plugin } from "@suite/core";
import { modelCallLimit, replyBudget, toolCallLimit } from "@suite/limits";
import type { Attempt, ModelAnswer, Observed } from "@suite/testkit";
import { describeInFramework, type SubjectOf } from "./in-framework.js";

const usage = { inputTokens: 10, outputTokens: 5 };
const asks = (...ids: readonly string[]): ModelAnswer => ({
  toolCalls: ids.map((id) => ({ id, name: "add", arguments: { id } })),
  usage,
});
const says = (text: string): ModelAnswer => ({ text, usage });

/** Holds limits in one framework: whole and streamed, each ends a run there as its README says. */
export function describeLimits(name: string, subjectOf: SubjectOf): void {
  describeInFramework(`limits in ${name}`, subjectOf, ({ subject, stream }) => {
    let ran: unknown[] = [];
    const run = (plugins: readonly Plugin[], answers: readonly ModelAnswer[]): Promise<Observed> => {
      ran = [];
      const parameters = { type: "object", properties: { id: { type: "string" } } };
      const execute = (input: unknown) => {
        ran.push((input as { id: string }).id);
        return "added";
      };
      const tools = [{ name: "add", description: "adds", parameters, execute }];
      const attempt: Attempt = { plugins, answers, input: "go", tools, stream };
      return subject.run(attempt);
    };

    it("modelCallLimit ends the run with its message", async () => {
      const seen = await run([modelCallLimit({ runLimit: 1 })], [asks("1"), says("never")]);
      expect(seen.error).toBeUndefined();
      expect(seen.text).toContain("The limit of model calls is reached: 1 per run.");
      expect(seen.prompts).toHaveLength(1);
    });

    it("modelCallLimit fails the run with its error", async () => {
      const limit = modelCallLimit({ runLimit: 1, exitBehavior: "error" });
      const seen = await run([limit], [asks("1"), says("never")]);
      expect(seen.error).toMatchObject({ code: "ERR_LIMITS_MODEL_CALLS" });
    });

    it("toolCallLimit runs the calls of a batch that are within it, and then ends the run", async () => {
      const limit = toolCallLimit({ runLimit: 2, exitBehavior: "end" });
      const seen = await run([limit], [asks("1", "2", "3"), says("never")]);
      expect(ran).toEqual(["1", "2"]);
      expect(seen.error).toBeUndefined();
      expect(seen.text).toContain("The limit of tool calls is reached: 2 per run.");
    });

    it("replyBudget gives the hint, and lets no tool be called", async () => {
      const seen = await run([replyBudget({ tokenBudget: 10 })], [asks("1"), says("in the end")]);
      expect(seen.text).toContain("in the end");
      expect(seen.prompts[1]).toContain("Answer now with what you have");
      expect(seen.prompts[1]).toMatch(/"tool_choice":("none"|\{"type":"none"\})/);
    });

    it("replyBudget stops a model that calls tools all the same", async () => {
      const seen = await run([replyBudget({ tokenBudget: 10 })], [asks("1"), asks("2"), says("never")]);
      expect(ran).toEqual(["1"]);
      expect(seen.error).toBeUndefined();
      expect(seen.prompts).toHaveLength(2);
    });
  });
}
