import { getEventListeners } from "node:events";
import { afterAll, describe, expect, it, jest } from "@jest/globals";
import type { Model } from "@suite/agent";
import { anthropic } from "@suite/agent/anthropic";
import { openai, openaiResponses } from "@suite/agent/openai";
import { text } from "@suite/core";
import { assembleReply } from "@suite/core/messages";
import fc from "fast-check";
import { runs } from "../../../scripts/runs.mjs";
import { answer, callsOf, collect, reply, sent, server } from "./models.js";

/** A spy on the console from the start: the SDKs keep its functions as they find them first. */
const logged = jest.spyOn(console, "error").mockImplementation(() => {});
afterAll(() => logged.mockRestore());

const signed = { ...answer, reasoning: { content: "Two tools help.", signature: "sealed" } };
const [, ...others] = reply.message.parts;
const signedReply = {
  ...reply,
  message: { role: "assistant", parts: [{ type: "reasoning", ...signed.reasoning }, ...others] },
};

interface Case {
  readonly api: string;
  readonly client: (name: string, options: object) => Model;
  /** The path of the base address, and that of a request below it. */
  readonly base: string;
  readonly path: string;
  readonly spoken: object;
  readonly read: object;
}

describe.each<Case>([
  { api: "openai", client: openai, base: "/v1", path: "/chat/completions", spoken: answer, read: reply },
  { api: "openaiResponses", client: openaiResponses, base: "/v1", path: "/responses", spoken: answer, read: reply },
  { api: "anthropic", client: anthropic, base: "", path: "/v1/messages", spoken: signed, read: signedReply },
])("$api", ({ client, base, path, spoken, read }) => {
  const { model, asking, generate, stream } = callsOf("m", (options) =>
    client("m", { apiKey: "none", baseURL: `${server.url}${base}`, ...options }),
  );

  describe("an answer", () => {
    it("has reasoning, text, parallel tool calls, usage with its cache, reason and response, plain", async () => {
      server.script(spoken);
      expect(await generate()).toEqual(read);
      expect(sent()).toMatchObject({ model: "m", stream: false });
      expect(server.requests[0]?.path).toBe(`${base}${path}`);
    });

    it("streams to the same reply, whatever the pieces and wherever the bytes are split", async () => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 400 }), async (chunks, split) => {
          server.script({ ...spoken, chunks, fault: { split } });
          expect(assembleReply(await stream())).toEqual(read);
        }),
        { numRuns: runs(15) },
      );
    });
  });

  describe("a call that fails", () => {
    it("is tried again by the SDK where that is asked for", async () => {
      server.script({ fault: { status: 500, retryAfter: 0.01 } }, { text: "There." });
      expect((await generate(asking(), { maxRetries: 1 })).message.parts).toEqual([text("There.")]);
    });

    it("logs nothing of what the model said", async () => {
      logged.mockClear();
      server.script({ text: "abc", chunks: "characters", fault: { malformed: { textPieces: 1 } } });
      await expect(stream()).rejects.toMatchObject({ code: "ERR_AGENT_MODEL_STREAM_CUT" });
      expect(logged).not.toHaveBeenCalled();
    });
  });

  describe("a call that is left", () => {
    const hanging = { text: "abc", chunks: "characters", fault: { hang: { textPieces: 1 } } } as const;

    it("leaves nothing on the signal of the run, however it ends", async () => {
      const { signal } = new AbortController();
      server.script({ text: "a" }, { text: "b" }, { fault: { status: 500 } }, hanging);
      await model().generate(asking(), { signal });
      await collect(model().stream(asking(), { signal }));
      await expect(collect(model().stream(asking(), { signal }))).rejects.toMatchObject({ status: 500 });
      for await (const _ of model().stream(asking(), { signal })) break;
      expect(getEventListeners(signal, "abort")).toHaveLength(0);
    });
  });
});
