import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import type { Reply, Tool } from "@suite/core";
import { setupTracing } from "../src/node.js";
import { startReceiver } from "./receiver.js";
import { Harness, modelRequest, reply, tool, user, words } from "./support.js";

const VALIDATOR = join(import.meta.dirname, "../../../../../shared/semconv/validate.mjs");

/** Model calls that ended in every way, with all content, as log records over the wire. */
async function everything(): Promise<unknown[]> {
  const receiver = await startReceiver();
  const endpoint = `http://127.0.0.1:${receiver.port}`;
  const telemetry = setupTracing({ serviceName: "log-conventions", endpoint, logs: true, metrics: false });
  const harness = new Harness({ events: "log", content: "full", warn: () => {} });
  const tools: readonly Tool[] = [{ ...tool("add"), description: "Adds.", parameters: { type: "object" } }];
  const settings = { temperature: 1, topP: 0.9, topK: 3, maxTokens: 10, seed: 1, stopSequences: ["."] };
  const system = { role: "system", parts: [{ type: "text", content: "Be brief." }] } as const;
  const answered = { role: "tool", parts: [{ type: "tool_call_response", id: "c1", response: { sum: 3 } }] } as const;
  const call = { type: "tool_call", id: "c1", name: "add", arguments: { constructor: 1, numbers: [1, 2] } } as const;
  const calling: Reply = { ...reply(""), message: { role: "assistant", parts: [call] }, finishReason: "tool_call" };
  const messages = [system, user("hi"), calling.message, answered];

  const run = harness.begin();
  const stream = await harness.chat(run, () => words("a", "b"), undefined, { tools, settings, messages });
  await stream.final();
  const request = modelRequest({ messages, outputSchema: {} });
  const value = await harness.stack.call("model", run, request, async (m) => m.respond({ value: calling }));
  await value.final();
  for await (const _ of await harness.chat(run, () => words("a", "b"))) break;
  await harness.stack.call("model", run, request, () => Promise.reject(new Error("a long sentence"))).catch(() => {});
  await run.end();
  await telemetry.shutdown();
  await receiver.stop();
  return receiver.bodies.map((body) => JSON.parse(body));
}

// On a clone without the data beside it there is nothing to check against; CI has it.
const present = existsSync(VALIDATOR) || process.env.CI !== undefined;
if (!present) console.info("skipped: no ../shared/semconv/validate.mjs beside this repository");
(present ? it : it.skip)("log events have neither violation nor notice by the GenAI conventions", async () => {
  const received = await everything();
  expect(JSON.stringify(received).match(/"eventName":"gen_ai\.client\.[a-z.]+"/g)).toHaveLength(5);
  const directory = mkdtempSync(join(tmpdir(), "suite-logs-"));
  const file = join(directory, "sent.json");
  writeFileSync(file, JSON.stringify(received));
  try {
    const checked = execFileSync(
      process.execPath,
      [VALIDATOR, "--strict", "--current", "--allow-value", "error.type=Error", "--all-spans", file],
      { encoding: "utf8" },
    );
    expect(checked).toMatch(/spans checked 4, violations 0\n$/);
  } catch (error) {
    throw new Error((error as { stdout?: string }).stdout ?? String(error));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
