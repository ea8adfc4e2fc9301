import { afterAll, beforeAll, expect, it, jest } from "@jest/globals";
import type { Plugin } from "@suite/core";
import { circuitBreaker, hedge, modelFallback, retryModel, timeout } from "@suite/resilience";
import type { Attempt, ModelAnswer, ModelServer, Observed } from "@suite/testkit";
import { describeInFramework, type SubjectOf } from "./in-framework.js";

const says = (text: string): ModelAnswer => ({ text });
const hangs = (hang: "before-headers" | number): ModelAnswer => ({
  text: "never to be read",
  chunks: "characters",
  fault: { hang },
});
const nameOf = (prompt: string | undefined): string => JSON.parse(prompt ?? "{}").model;

/** The facts about a subject beside what the contract tests ask. */
export interface ResilientOptions {
  /** The reason why a model cannot be named here: it was given as an object that says nothing of where it comes from. */
  readonly unnamed?: string;
  /** A client of the framework for the model "other" of the server. */
  readonly clientOf?: (server: ModelServer) => object | Promise<object>;
  /** A status that the model's own client does not try again by itself. Default: 503. */
  readonly status?: number;
}

/** Holds the plugins of resilience in one framework: whole and streamed, each does there what its README says. */
export function describeResilience(
  name: string,
  subjectOf: SubjectOf,
  { unnamed, clientOf, status = 503 }: ResilientOptions = {},
): void {
  const overloaded: ModelAnswer = { fault: { status } };
  const on = [status];
  describeInFramework(`resilience in ${name}`, subjectOf, ({ subject, server, stream }) => {
    // Frameworks print the errors of streams.
    beforeAll(() => void jest.spyOn(console, "error").mockImplementation(() => {}));
    afterAll(() => void jest.restoreAllMocks());
    let ran = 0;
    const run = (plugins: readonly Plugin[], answers: readonly ModelAnswer[]): Promise<Observed> => {
      ran = 0;
      const parameters = { type: "object", properties: {} };
      const execute = () => {
        ran++;
        return "added";
      };
      const tools = [{ name: "add", description: "adds", parameters, execute }];
      const attempt: Attempt = { plugins, answers, input: "go", tools, stream };
      return subject.run(attempt);
    };
    const retry = (options = {}) =>
      retryModel({ initialDelay: 1, retryOn: [status, "ERR_RESILIENCE_TIMEOUT"], ...options });

    it("retryModel asks again, and the reader has one answer; the tools run once", async () => {
      const calls: ModelAnswer = { toolCalls: [{ id: "1", name: "add", arguments: {} }] };
      const seen = await run([retry()], [overloaded, calls, overloaded, overloaded, says("done")]);
      expect(seen.error).toBeUndefined();
      expect(seen.text).toBe("done");
      expect(seen.pieces.join("")).toBe(stream ? "done" : "");
      expect([seen.prompts.length, ran]).toEqual([5, 1]);
    });

    it("retryModel ends with the last error, or an answer that says so", async () => {
      const failed = await run([retry({ maxAttempts: 2 })], [overloaded, overloaded]);
      expect(failed.error).toBeInstanceOf(Error);
      expect(failed.prompts).toHaveLength(2);
      const told = await run([retry({ maxAttempts: 2, onExhausted: "continue" })], [overloaded, overloaded]);
      expect(told.error).toBeUndefined();
      expect(told.text).toContain("The model call failed: 2 attempts failed");
    });

    it("modelFallback asks the model that it names", async () => {
      const seen = await run([modelFallback({ models: ["other"], fallbackOn: on })], [overloaded, says("other said")]);
      expect(nameOf(seen.prompts[0])).not.toBe("other");
      if (unnamed !== undefined) {
        expect(seen.error).toMatchObject({ code: "ERR_AI_SDK_UNSUPPORTED" });
        return;
      }
      expect(seen.error).toBeUndefined();
      expect(seen.text).toBe("other said");
      expect(seen.pieces.join("")).toBe(stream ? "other said" : "");
      expect(nameOf(seen.prompts[1])).toBe("other");
    });

    it("modelFallback asks the client that it is given", async () => {
      const client = (await clientOf?.(server())) ?? "none";
      if (client === "none") return;
      const seen = await run([modelFallback({ models: [client], fallbackOn: on })], [overloaded, says("other said")]);
      expect(seen.error).toBeUndefined();
      expect(seen.text).toBe("other said");
      expect(seen.pieces.join("")).toBe(stream ? "other said" : "");
      expect(nameOf(seen.prompts[1])).toBe("other");
    });

    it.each([
      ["before its headers", hangs("before-headers"), "call"],
      ["before its first chunk", hangs(0), "firstChunk"],
      ["in the middle", hangs(9), "betweenChunks"],
    ] as const)("timeout cancels a request that hangs %s", async (_, answer, limit) => {
      if (!stream && limit !== "call") return;
      const seen = await run([timeout({ [limit]: 150 })], [answer]);
      expect(seen.error).toMatchObject({ code: "ERR_RESILIENCE_TIMEOUT" });
      expect(await server().requests[0]?.ended).toBe("closed");
    });

    it("timeout inside of retryModel gives one attempt up, and another is made", async () => {
      const answers = [hangs("before-headers"), ...Array.from({ length: 8 }, () => says("in time"))]; // on a slow machine
      const seen = await run([retry({ maxAttempts: 9 }), timeout({ call: 1500 })], answers);
      expect(seen.error).toBeUndefined();
      expect(seen.text).toBe("in time");
    });

    it("hedge asks a second time, cancels the slower request, and the reader has one answer", async () => {
      const answers = [hangs(stream ? 0 : "before-headers"), says("the second")];
      const seen = await run([hedge({ delay: 100 })], answers);
      expect(seen.error).toBeUndefined();
      expect(seen.text).toBe("the second");
      expect(seen.pieces.join("")).toBe(stream ? "the second" : "");
      expect(await server().requests[0]?.ended).toBe("closed");
    });

    it("circuitBreaker refuses without asking", async () => {
      const breaker = circuitBreaker({ failures: 1, failOn: on });
      await run([breaker], [overloaded]);
      const seen = await run([breaker], [says("never")]);
      expect(seen.error).toMatchObject({ code: "ERR_RESILIENCE_CIRCUIT_OPEN" });
      expect(seen.prompts).toHaveLength(0);
    });
  });
}
