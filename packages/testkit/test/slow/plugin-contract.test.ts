import { describe, expect, it } from "@jest/globals";
import type { AnyInvocation, CallNext, Invocation, Plugin } from "@suite/core";
import { describePlugin, pluginScenarios, Recording, redacting } from "@suite/testkit";
import { rejection } from "../clients.js";

describePlugin("a recording layer", { create: () => new Recording().layer("subject") }, { describe, it });
describePlugin("the redacting guard", { create: () => redacting() }, { describe, it });
describePlugin("a plugin without hooks", { create: () => ({ name: "empty" }) }, { describe, it });

type Model = Invocation<"model">;
let shared = "";
let closed = false;

/** Plugins as they should not be, and the scenario that finds each. */
const broken: readonly (readonly [string, string, Plugin])[] = [
  [
    "wraps errors",
    "errors and terminations of a call pass as the same object",
    {
      name: "wraps",
      async model(_: Model, callNext: CallNext) {
        try {
          await callNext();
        } catch (error) {
          throw new Error("The model failed.", { cause: error });
        }
      },
    },
  ],
  [
    "swallows errors",
    "errors and terminations of a call pass as the same object",
    {
      name: "swallows",
      async tool(invocation, callNext) {
        try {
          await callNext();
        } catch {
          invocation.respond({ value: "failed" });
        }
      },
    },
  ],
  [
    "reads error messages",
    "whatever is thrown passes as it is",
    {
      name: "reads",
      async tool(_invocation, callNext) {
        try {
          await callNext();
        } catch (error) {
          String((error as Error).message);
          throw error;
        }
      },
    },
  ],
  [
    "mutates requests",
    "a plain answer passes, and nothing that the plugin is given is mutated",
    {
      name: "mutates",
      async tool(invocation, callNext) {
        (invocation.request.input as Record<string, unknown>).seen = true;
        await callNext();
      },
    },
  ],
  [
    "drops what streams",
    "a streamed answer passes, and comes to the same as a plain one",
    {
      name: "drops",
      async model(invocation: Model, callNext: CallNext) {
        await callNext();
        invocation.pipe({
          chunk(delta, emit) {
            if (delta.type !== "arguments") emit(delta);
          },
        });
      },
    },
  ],
  [
    "keeps state of a run on itself",
    "one instance serves two runs at the same time without mixing them",
    {
      name: "mixes",
      async model(invocation: Model, callNext: CallNext) {
        await callNext();
        shared = "";
        invocation.pipe({
          chunk(delta, emit) {
            if (delta.type !== "part" || delta.part.type !== "text") return emit(delta);
            shared += delta.part.content;
            emit({ ...delta, part: { type: "text", content: "" } });
          },
          flush: (emit) => emit({ type: "part", at: "0", part: { type: "text", content: shared } }),
        });
      },
    },
  ],
  [
    "waits for ever in settle",
    "an abort ends a call that hangs, once",
    {
      name: "waits",
      async model(invocation: Model, callNext: CallNext) {
        await callNext();
        invocation.pipe({ settle: () => new Promise(() => {}) });
      },
    },
  ],
  [
    "throws in settle",
    "a plain answer passes, and nothing that the plugin is given is mutated",
    {
      name: "throws",
      async tool(invocation, callNext) {
        await callNext();
        invocation.pipe({
          settle() {
            throw new Error("late");
          },
        });
      },
    },
  ],
  [
    "turns a suspension into an answer",
    "a suspended answer passes",
    {
      name: "answers",
      async tool(invocation, callNext) {
        await callNext();
        if (!invocation.result?.streaming) invocation.respond({ value: "nothing" });
      },
    },
  ],
  [
    "writes everything as JSON",
    "nothing throws on hostile values, plain or streamed",
    {
      name: "writes",
      async tool(invocation, callNext) {
        JSON.stringify(invocation.request.input);
        await callNext();
      },
    },
  ],
  [
    "may not be closed twice",
    "close() may be called twice, before any run too",
    {
      name: "closes",
      async close() {
        if (closed) throw new Error("closed already");
        closed = true;
      },
    },
  ],
  [
    "refuses a second try",
    "a layer further out may try again",
    (() => {
      const tried = new Set<string>();
      const watch = async (invocation: AnyInvocation, callNext: CallNext): Promise<void> => {
        if (tried.has(invocation.call.id)) throw new Error("again?");
        tried.add(invocation.call.id);
        await callNext();
      };
      return { name: "refuses", model: watch as Plugin["model"] } as Plugin;
    })(),
  ],
];

describe("the scenarios find a plugin that", () => {
  it.each(broken)("%s", async (_, name, plugin) => {
    const scenario = pluginScenarios.find((each) => each.name === name);
    expect(scenario).toBeDefined();
    await rejection(scenario?.run({ create: () => plugin }) ?? Promise.resolve());
  });
});

it("a guard that fails closed may refuse hostile values by the errors it names, and by no others", async () => {
  const refusing: Plugin = {
    name: "refusing",
    async tool(invocation, callNext) {
      JSON.stringify(invocation.request.input);
      await callNext();
    },
  };
  const scenario = pluginScenarios.find((each) => each.name.startsWith("nothing throws"));
  const subject = { create: () => refusing, mayRefuse: () => true };
  await scenario?.run(subject);
  await rejection(scenario?.run({ ...subject, mayRefuse: (error) => error === "other" }) ?? Promise.resolve());
});
