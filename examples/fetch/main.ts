/** The support desk on the plain `openai` client, whose own runner calls the tool. */
import { withPlugins } from "@suite/fetch";
import { setupTracing } from "@suite/tracing/node";
import { deskModel } from "./model.js";
import { guard, plugins } from "./suite.js";
import { findOrder } from "./tools.js";

const telemetry = setupTracing({ serviceName: "desk", redactor: guard.redactor, consoleTree: true });
const { client, close } = await deskModel();

const desk = withPlugins(client, plugins);
const answer = desk.chat.completions.runTools({
  model: "fake-model",
  stream: true,
  stream_options: { include_usage: true },
  messages: [{ role: "user", content: "How was order 1002 paid? I am omar@example.org." }],
  tools: [findOrder],
});
answer.on("content", (text) => process.stdout.write(text));
await answer.done();

process.stdout.write("\n");
await close();
for (const plugin of plugins) if ("close" in plugin) await plugin.close?.();
await telemetry.shutdown();
