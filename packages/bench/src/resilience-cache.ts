import { definePlugin, type ModelRequest, message, type Plugin, type Reply } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import { cache } from "@suite/resilience";
import { atMost, defineGroup } from "./group.js";

const reply: Reply = { message: message("assistant", "It is on its way."), finishReason: "stop" };
const short: ModelRequest = { messages: [message("user", "Where is my order 1001?")], tools: [], model: "none" };
/** A request of about 20 kB, as a conversation of some length is. */
const long: ModelRequest = {
  ...short,
  messages: Array.from({ length: 40 }, (_, index) =>
    message(index % 2 === 0 ? "user" : "assistant", "onion ".repeat(80)),
  ),
};

/** A cache in five lines: a Map, keyed by the JSON of the request. */
function mapped(): Plugin {
  const answers = new Map<string, Reply>();
  return definePlugin({
    name: "map",
    async model(invocation, callNext) {
      const { messages, tools, model, toolChoice, settings } = invocation.request;
      const key = JSON.stringify([messages, tools, model, toolChoice, settings]);
      const known = answers.get(key);
      if (known !== undefined) return invocation.respond({ value: known });
      await callNext();
      if (invocation.result !== undefined) answers.set(key, await invocation.result.final());
    },
  });
}

/** A model call that the plugin answers by itself. */
async function hitsOf(plugin: Plugin, request: ModelRequest) {
  const stack = new PluginStack([plugin]);
  const call = async (modelRequest: ModelRequest, run = stack.begin()) => {
    const outcome = await stack.call("model", run, modelRequest, async (invocation) =>
      invocation.respond({ value: reply }),
    );
    return { run, final: await outcome.final() };
  };
  const { run } = await call(request);
  await run.end(); // the response is stored when the run has completed
  const hits = stack.begin();
  return () => call(request, hits);
}

export const resilienceCache = defineGroup({
  name: "resilience/cache",
  about:
    "A model call that is answered from memory: by a layer with a `Map` by the JSON of the request, and by `cache`, which " +
    "hashes the request (SHA-256 by WebCrypto, asynchronous), keeps answers as JSON, tells the hit, and knows whose answers they are. " +
    "A short request, and one of 20 kB.",
  unit: "call",
  async open() {
    const known = () => cache({ tenant: "everyone" });
    return {
      cases: {
        Map: await hitsOf(mapped(), short),
        cache: await hitsOf(known(), short),
        "Map, long": await hitsOf(mapped(), long),
        "cache, long": await hitsOf(known(), long),
      },
    };
  },
  figures: [
    { name: "cache / Map", ratio: (time) => time.cache / time.Map, aim: atMost(20) },
    {
      name: "cache / Map, of a long request",
      ratio: (time) => time["cache, long"] / time["Map, long"],
      aim: atMost(10),
    },
  ],
});
