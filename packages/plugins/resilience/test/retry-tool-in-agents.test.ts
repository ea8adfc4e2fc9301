import { describe, expect, it } from "@jest/globals";
import { type Approval, approve, createAgent, defineTool } from "@suite/agent";
import type { Plugin } from "@suite/core";
import { unansweredCalls } from "@suite/core/messages";
import { retryTool, toolErrors } from "@suite/resilience";
import { modes, resultOf } from "../../../../integration-tests/test/sketches/watched.js";
import { call, codeOf, only, scripted, shown, suspended } from "../../../agent/test/support.js";

const retry = (): Plugin => retryTool({ tools: ["pay"], initialDelay: 0, onExhausted: "error" });

/** An agent that pays once, with a tool that follows a script: an error, or a time that it takes. */
function payer(script: readonly (Error | number)[], person?: () => Approval, plugins: readonly Plugin[] = [retry()]) {
  let ran = 0;
  let asked = 0;
  const pay = defineTool({
    name: "pay",
    needsApproval: true,
    timeout: 20,
    async execute() {
      const next = script[ran++];
      if (next instanceof Error) throw next;
      if (next !== undefined) await new Promise((resolve) => setTimeout(resolve, next));
      return "paid";
    },
  });
  const model = scripted([call("1", "pay", { amount: 1 })], "done");
  const onHumanInput = (): Approval | undefined => {
    asked++;
    return person?.();
  };
  const agent = createAgent({ name: "a", model, tools: [pay], plugins, onHumanInput });
  return { agent, model, ran: () => ran, asked: () => asked };
}

describe.each(modes)("a tool that runs again, and a person's approval (%s)", (mode) => {
  it("is approved once, for as many attempts as it fails", async () => {
    const { agent, ran, asked, model } = payer([new Error("503"), new Error("503")], () => true);
    expect(await resultOf(agent, "Pay.", mode)).toMatchObject({ status: "completed" });
    expect([ran(), asked(), shown(model.asked[1])]).toEqual([3, 1, ["paid"]]);
  });

  it("is approved while the run waits, and that decision counts once", async () => {
    const { agent, ran } = payer([new Error("503")]);
    const pending = await suspended(resultOf(agent, "Pay.", mode));
    const input = { pending, decisions: [approve(only(pending))] };
    expect(await resultOf(agent, input, mode)).toMatchObject({ status: "completed" });
    expect(ran()).toBe(2);
    expect(await codeOf(resultOf(agent, input, mode))).toBe("ERR_AGENT_PENDING_USED");
    expect(ran()).toBe(2);
  });

  it("needs another approval, where nobody knows whether it has done its work", async () => {
    const { agent, ran, asked } = payer([60, 0], () => true);
    expect(await resultOf(agent, "Pay.", mode)).toMatchObject({ status: "completed" });
    expect([ran(), asked()]).toEqual([2, 2]);
    const waits = payer([60]);
    const pending = await suspended(resultOf(waits.agent, "Pay.", mode));
    const again = await suspended(resultOf(waits.agent, { pending, decisions: [approve(only(pending))] }, mode));
    expect([waits.ran(), only(again).reason]).toEqual([1, "approval"]);
  });

  it("is not asked about again, where a person has refused", async () => {
    const { agent, ran, asked, model } = payer([], () => ({ approve: false, message: "No." }));
    await resultOf(agent, "Pay.", mode);
    expect([ran(), asked()]).toEqual([0, 1]);
    expect(shown(model.asked[1])).toEqual([expect.stringContaining("A person refused this call of pay")]);
  });

  it("leaves the person's words to the model, where errors are told otherwise", async () => {
    const plugins = [toolErrors({ errors: () => true, text: () => "It failed." })];
    const { agent, model } = payer([], () => ({ approve: false, message: "No." }), plugins);
    await resultOf(agent, "Pay.", mode);
    expect(shown(model.asked[1])).toEqual([expect.stringContaining("They say: No.")]);
  });
});

it.each(modes)("a tool that fails leaves no call without an answer, for the next turn either (%s)", async (mode) => {
  const boom = defineTool({ name: "boom", execute: () => Promise.reject(new RangeError("hunter2")) });
  const model = scripted([call("1", "boom"), call("2", "boom")], "done", "again");
  const agent = createAgent({ name: "a", model, tools: [boom], plugins: [toolErrors()] });
  const first = await resultOf(agent, "Go.", mode);
  expect(unansweredCalls(first.messages)).toEqual([]);
  await resultOf(agent, [...first.messages, { role: "user", parts: [{ type: "text", content: "And?" }] }], mode);
  expect(unansweredCalls(model.asked[2]?.messages ?? [])).toEqual([]);
  expect(JSON.stringify(model.asked)).not.toContain("hunter2");
});
