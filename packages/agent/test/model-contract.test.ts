import { describe, expect, it } from "@jest/globals";
import type { Model } from "@suite/agent";
import { anthropic } from "@suite/agent/anthropic";
import { openai, openaiResponses } from "@suite/agent/openai";
import type { Delta } from "@suite/core";
import { explodeReply } from "@suite/core/messages";
import { describeModel, type ModelSubject, modelScenarios } from "@suite/testkit";
import { server } from "./models.js";

const chat: ModelSubject = {
  server: () => server,
  create: () => openai("m", { apiKey: "none", baseURL: `${server.url}/v1` }),
  lacks: { signatures: "the model server signs nothing in chat completions" },
};

describeModel("openai", chat, { describe, it });
describeModel(
  "openaiResponses",
  {
    server: () => server,
    create: () => openaiResponses("m", { apiKey: "none", baseURL: `${server.url}/v1` }),
    signing: { include: ["reasoning.encrypted_content"] },
  },
  { describe, it },
);
describeModel(
  "anthropic",
  { server: () => server, create: () => anthropic("m", { apiKey: "none", baseURL: server.url }) },
  { describe, it },
);

describe("the contract of model clients finds a client that", () => {
  const wholeOf = async (model: Model, ...asked: Parameters<Model["generate"]>) => model.generate(...asked);
  const each = (model: Model, change: (delta: Delta) => Delta | undefined): Model["stream"] =>
    async function* (request, options) {
      for await (const delta of model.stream(request, options)) {
        const changed = change(delta);
        if (changed !== undefined) yield changed;
      }
    };

  it.each<[string, (model: Model) => Partial<Model>]>([
    [
      "takes an early end for the end",
      (model) => ({
        async *stream(request, options) {
          try {
            yield* { [Symbol.asyncIterator]: () => model.stream(request, options)[Symbol.asyncIterator]() };
          } catch {
            yield { type: "finish" };
          }
        },
      }),
    ],
    [
      "leaves out the usage",
      (model) => ({
        generate: async (...asked) => ({ ...(await wholeOf(model, ...asked)), usage: undefined }) as never,
      }),
    ],
    [
      "leaves out the finish",
      (model) => ({ stream: each(model, (delta) => (delta.type === "finish" ? undefined : delta)) }),
    ],
    [
      "streams the answer when it is whole",
      (model) => ({
        async *stream(request, options) {
          yield* explodeReply(await model.generate(request, options));
        },
      }),
    ],
    [
      "sends no tools",
      (model) => ({
        generate: (request, options) => model.generate({ ...request, tools: [] }, options),
      }),
    ],
    [
      "sends no results",
      (model) => ({
        generate: (request, options) =>
          model.generate({ ...request, messages: request.messages.filter(({ role }) => role !== "tool") }, options),
      }),
    ],
    [
      "tries again",
      (model) => ({
        generate: (request, options) => model.generate(request, options).catch(() => model.generate(request, options)),
      }),
    ],
    [
      "does not hear an abort",
      (model) => ({
        generate: (request) => model.generate(request, { signal: new AbortController().signal }),
      }),
    ],
    [
      "sends no headers",
      (model) => ({
        generate: (request, { signal }) => model.generate(request, { signal }),
      }),
    ],
    [
      "changes the request",
      (model) => ({
        generate(request, options) {
          (request as { model: string }).model = "mine";
          return model.generate(request, options);
        },
      }),
    ],
    [
      "throws errors of its own",
      (model) => ({
        generate: (...asked) => model.generate(...asked).catch(() => Promise.reject(new Error("failed"))),
      }),
    ],
  ])("%s", async (_, bug) => {
    const broken: ModelSubject = {
      ...chat,
      create() {
        const model = chat.create() as Model;
        return { ...model, ...bug(model) };
      },
    };
    const found: string[] = [];
    for (const { name, needs, run } of modelScenarios) {
      if (needs.includes("signatures") || /however its text|does not take/.test(name)) continue; // slow, or of no use here
      await Promise.race([run(broken), late()]).catch(() => found.push(name));
      if (found.length > 0) break;
    }
    expect(found).toHaveLength(1);
  });
});

const late = (): Promise<never> =>
  new Promise((_, reject) => {
    setTimeout(reject, 2000, new Error("late")).unref();
  });
