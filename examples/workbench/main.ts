/** An agent that plans, searches files, works in a shell, and says what it found: each tool within its bounds. */
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgent } from "@suite/agent";
import { openai } from "@suite/agent/openai";
import { todoList } from "@suite/context";
import { type AudioChunk, type Synthesizer, speech } from "@suite/speech";
import { commandSpeech } from "@suite/speech/node";
import { startModelServer } from "@suite/testkit";
import { fileSearch, shell } from "@suite/tools/node";
import { tracing } from "@suite/tracing";
import { setupTracing } from "@suite/tracing/node";
import { model } from "./model.js";

const telemetry = setupTracing({ serviceName: "workbench", consoleTree: true });
const server = await startModelServer();
server.script(model);

const workspace = await mkdtemp(join(tmpdir(), "workbench-"));
await writeFile(join(workspace, "monday.txt"), "Tea with Ada.\nWater the plants.\n");
await writeFile(join(workspace, "tuesday.txt"), "Call Bob.\n");

// A voice of this machine where there is one, else one that is as long as the text.
const silent: Synthesizer = { mediaType: "audio/L8", synthesize: (text) => new Uint8Array(text.length) };
const voice = spawnSync("espeak-ng", ["--version"]).status === 0;
const synthesizer = voice ? commandSpeech({ command: "espeak-ng", args: ["--stdout"] }) : silent;

const agent = createAgent({
  name: "workbench",
  model: openai("fake-model", { baseURL: `${server.url}/v1`, apiKey: "none" }),
  plugins: [
    tracing(),
    speech({ synthesizer, speak: "sentence" }),
    todoList(),
    fileSearch({ root: workspace }),
    shell({ workspace }), // in a sandbox, or a container, where the machine has one
  ],
});

let bytes = 0;
for await (const delta of agent.stream("How many things do I have to do this week?")) {
  if (delta.type === "part" && delta.part.type === "tool_call") console.log(`[${delta.part.name}]`);
  if (delta.type === "part" && delta.part.type === "text") process.stdout.write(delta.part.content);
  if (delta.type === "event" && delta.name === "audio") bytes += atob((delta.value as AudioChunk).data).length;
}
console.log(`\n${bytes > 0 ? "spoken" : "not spoken"}`);

await agent.close();
await telemetry.shutdown();
await server.close();
await rm(workspace, { recursive: true });
