import { MiddlewarePipeline, type ModelRequest, message, type Plugin, type Reply } from "@suite/core";
import { compose, Frame, PluginStack } from "@suite/core/adapter";
import koaCompose from "koa-compose";
import { atMost, defineGroup } from "./group.js";

const request: ModelRequest = { messages: [message("user", "Hello")], tools: [], model: "none" };
const reply: Reply = { message: message("assistant", "Hello") };

/** Five layers that only go on, the same for all cases. */
const layers = Array.from({ length: 5 }, () => async (_: unknown, next: () => Promise<unknown>): Promise<void> => {
  await next();
});
const core = async (): Promise<void> => {};

const plugins = layers.map((model, index): Plugin => ({ name: `layer-${index}`, model }));
const koa = koaCompose<unknown>(layers);
const pipeline = new MiddlewarePipeline(layers);
const stack = new PluginStack(plugins);

/** The object that the frames of a call share. Only a call makes it. */
async function sharedByACall(): Promise<Frame<"model">["shared"]> {
  let shared: Frame<"model">["shared"] | undefined;
  await stack.call("model", stack.begin(), request, async (invocation) => {
    if (invocation instanceof Frame) shared = invocation.shared;
    invocation.respond({ value: reply });
  });
  if (shared === undefined) throw new Error("The core of a model call was not given a Frame.");
  return shared;
}

export const onion = defineGroup({
  name: "core/onion",
  about:
    "Five layers `async (context, next) => { await next(); }` round a core that does nothing. `compose`: the fold that " +
    "`PluginStack.call` uses, on its own, with a frame of the contract per layer. `PluginStack.call`: all of a call, its " +
    "identity, its answer and `final()` included; koa-compose has nothing of these.",
  unit: "call",
  async open() {
    const run = stack.begin();
    const context = {};
    const shared = await sharedByACall();
    const frames = compose("model", plugins);
    if (frames === undefined) throw new Error("Five layers were composed to none.");
    return {
      cases: {
        "koa-compose": () => koa(context, core),
        MiddlewarePipeline: () => pipeline.execute(context, core),
        compose: () => frames(new Frame(shared, request), core),
        "PluginStack.call": async () => {
          const outcome = await stack.call("model", run, request, async (invocation) => {
            invocation.respond({ value: reply });
          });
          return outcome.final();
        },
      },
      close: () => run.end(),
    };
  },
  figures: [
    {
      name: "MiddlewarePipeline / koa-compose",
      ratio: (time) => time.MiddlewarePipeline / time["koa-compose"],
      aim: atMost(1.2),
    },
    {
      name: "compose / koa-compose",
      ratio: (time) => time.compose / time["koa-compose"],
      aim: atMost(1.2),
    },
    {
      name: "PluginStack.call with answer and final() / koa-compose",
      ratio: (time) => time["PluginStack.call"] / time["koa-compose"],
    },
  ],
});
