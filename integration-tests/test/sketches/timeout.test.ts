import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { approve, createAgent, defineTool } from "@suite/agent";
import { openai } from "@suite/agent/openai";
import {
  type AnyInvocation,
  type CallNext,
  definePlugin,
  MiddlewareTermination,
  type Plugin,
  signalOf,
} from "@suite/core";
import { useModelServer } from "@suite/testkit";
import { call, codeOf, only, scripted, shown, suspended } from "../../../packages/agent/test/support.js";
import { modes, resultOf } from "./watched.js";

/** Gives up what takes longer than `late` takes; written from the public contract alone. */
function timeout(late: (invocation: AnyInvocation) => Promise<unknown>): Plugin {
  const limited = async (invocation: AnyInvocation, callNext: CallNext): Promise<void> => {
    const error = new MiddlewareTermination("It took too long.", { scope: "call" });
    const over = late(invocation).then(() => Promise.reject(error));
    try {
      // The first piece of a stream is waited for, too: a server that only sends its headers has not answered.
      await Promise.race([callNext().then(() => invocation.result?.ready()), over]);
    } catch (thrown) {
      if (thrown === error) {
        invocation.giveUp(error);
        const { kind, call, runtime } = invocation;
        runtime.notify({
          type: "decision",
          plugin: "timeout",
          decision: "given_up",
          enforced: true,
          call,
          place: kind,
        });
      }
      throw thrown;
    }
  };
  return definePlugin({ name: "timeout", model: limited, tool: limited });
}

const never = new Promise<never>(() => {});
const server = useModelServer({ beforeAll, afterEach, afterAll });
const client = () => openai("m", { apiKey: "none", baseURL: `${server().url}/v1` });

describe("a timeout", () => {
  describe.each([
    ["before the headers", "before-headers" as const],
    ["before the first event", 0],
  ])("of a model whose server hangs %s", (_, hang) => {
    it.each(modes)("cancels the HTTP request, and is the run's error (%s)", async (mode) => {
      server().script({ text: "never", fault: { hang } });
      const asked = async () => {
        while (server().requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      };
      const agent = createAgent({ name: "a", model: client(), plugins: [timeout(asked)] });
      expect(await codeOf(resultOf(agent, "hello", mode))).toBe("ERR_MIDDLEWARE_TERMINATED");
      expect(await server().requests[0]?.ended).toBe("closed");
    });
  });

  it.each(modes)("cancels a tool's work, also of a run that went on, and the model is told (%s)", async (mode) => {
    let began: () => void = () => {};
    const beginning = new Promise<void>((resolve) => {
      began = resolve;
    });
    let reason: unknown;
    const slow = defineTool({
      name: "slow",
      needsApproval: true,
      execute: (_input, _runtime, of) =>
        new Promise((_, reject) => {
          const signal = signalOf(of);
          signal?.addEventListener("abort", () => {
            reason = signal.reason;
            reject(reason);
          });
          began();
        }),
    });
    const model = scripted([call("1", "slow")], "It took too long.");
    const late = ({ kind }: AnyInvocation) => (kind === "tool" ? beginning : never);
    const agent = createAgent({ name: "a", model, tools: [slow], plugins: [timeout(late)] });
    const pending = await suspended(resultOf(agent, "hello", mode));
    const done = await resultOf(agent, { pending, decisions: [approve(only(pending))] }, mode);
    expect(done).toMatchObject({ status: "completed", text: "It took too long." });
    expect(MiddlewareTermination.is(reason) && reason.message).toBe("It took too long.");
    expect(shown(model.asked[1])).toEqual([expect.stringContaining("It took too long.")]);
  });

  it.each(modes)("does nothing to what is in time (%s)", async (mode) => {
    server().script({ text: "Hello, Ada.", chunks: "characters" });
    const agent = createAgent({ name: "a", model: client(), plugins: [timeout(() => never)] });
    expect(await resultOf(agent, "hello", mode)).toMatchObject({ text: "Hello, Ada." });
    expect(await server().requests[0]?.ended).not.toBe("closed");
  });
});
