import { definePlugin, type ModelRequest, message, type Reply } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import { defineGroup, withinNoise } from "./group.js";

const request: ModelRequest = { messages: [message("user", "Hello")], tools: [], model: "none" };
const reply: Reply = { message: message("assistant", "Hello") };

/** A minimal function of a framework, so that any overhead in front of it is visible. */
const callModel = async (_: ModelRequest): Promise<Reply> => reply;

/** The functions that an adapter puts in the place of two of a framework's. */
const attached = (stack: PluginStack) => ({
  model: (request: ModelRequest): Promise<Reply> =>
    stack.has.model ? throughLayers(stack, request) : callModel(request),
  round: (request: ModelRequest): Promise<Reply> =>
    stack.has.reasoning ? throughLayers(stack, request) : callModel(request),
});

async function throughLayers(stack: PluginStack, request: ModelRequest): Promise<Reply> {
  const run = stack.begin();
  const outcome = await stack.call("model", run, request, async (invocation) => {
    invocation.respond({ value: await callModel(invocation.request) });
  });
  const answer = await outcome.final();
  await run.end();
  return answer;
}

const others = [1, 2, 3].map((number) =>
  definePlugin({
    name: `other-${number}`,
    agent: async (_, callNext) => callNext(),
    tool: async (_, callNext) => callNext(),
    systemPrompt: (prompt) => prompt,
  }),
);

const noise = "noise: the direct call, measured twice";

export const unusedHook = defineGroup({
  name: "core/unused-hook",
  about:
    "An async function that does nothing but return, called directly, and through what an adapter puts in its place: " +
    "`stack.has.model ? stack.call(…) : direct(…)`. Two kinds are asked for, since an adapter serves several.",
  unit: "call",
  open() {
    const empty = attached(new PluginStack());
    const elsewhere = attached(new PluginStack(others));
    return {
      cases: {
        direct: () => callModel(request),
        "direct again": () => callModel(request),
        "no plugin": () => empty.model(request),
        "no plugin, another kind": () => empty.round(request),
        "three plugins with other hooks": () => elsewhere.model(request),
      },
    };
  },
  figures: [
    { name: noise, ratio: (time) => time["direct again"] / time.direct },
    {
      name: "no plugin / direct",
      ratio: (time) => time["no plugin"] / time.direct,
      aim: withinNoise(noise),
    },
    {
      name: "no plugin, another kind / direct",
      ratio: (time) => time["no plugin, another kind"] / time.direct,
      aim: withinNoise(noise),
    },
    {
      name: "three plugins with other hooks / direct",
      ratio: (time) => time["three plugins with other hooks"] / time.direct,
      aim: withinNoise(noise),
    },
  ],
});
