import { describe, expect, it } from "@jest/globals";
import { withPlugins } from "@suite/ai-sdk";
import { recorder } from "./support.js";

/** Classes as `@ai-sdk/workflow` 2 and `@workflow/ai` 5 have them, as far as `withPlugins` reads them. */
class WorkflowAgent {
  readonly id = undefined;
  readonly tools = {};
  generate(): never {
    throw new Error("Not implemented");
  }
  async stream(): Promise<object> {
    return {};
  }
}
class DurableAgent {
  readonly tools = {};
  async stream(): Promise<object> {
    return {};
  }
}
class Support extends WorkflowAgent {}

const targets: readonly (readonly [string, object, string])[] = [
  ["a WorkflowAgent", new WorkflowAgent(), "WorkflowAgent"],
  ["a subclass of WorkflowAgent", new Support(), "WorkflowAgent"],
  ["a DurableAgent", new DurableAgent(), "DurableAgent"],
  ["the module @ai-sdk/workflow", { WorkflowAgent }, "WorkflowAgent"],
  ["the module @workflow/ai/agent", { DurableAgent }, "DurableAgent"],
];

describe("withPlugins", () => {
  it.each(targets)("refuses %s by name", (_, target, name) => {
    const attach = () => withPlugins(target, [recorder().plugin]);
    expect(attach).toThrow(expect.objectContaining({ code: "ERR_AI_SDK_TARGET" }));
    expect(attach).toThrow(`withPlugins cannot take a ${name}`);
  });

  it("does not take another object for a workflow agent", () => {
    for (const target of [{}, Object.create(null), { WorkflowAgent: "a name" }]) {
      expect(() => withPlugins(target, [recorder().plugin])).toThrow("withPlugins takes the module");
    }
  });
});
