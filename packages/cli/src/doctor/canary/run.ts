import { message, type Plugin, type Tool, text } from "@suite/core";
import { PluginStack, type Run } from "@suite/core/adapter";
import { textFor } from "./planted.js";

/** Runs a tiny agent with planted values: a model call, a tool that succeeds, a tool that fails. */
export async function runPlanted(plugins: readonly Plugin[]): Promise<void> {
  const stack = new PluginStack(plugins);
  const run = stack.begin({ agent: { name: "suite-doctor" } });
  try {
    await quiet(() => callModel(stack, run));
    await quiet(() => callTool(stack, run, { name: "answers", execute: () => textFor("tool result") }));
    await quiet(() => callTool(stack, run, { name: "fails", execute: fail }));
  } finally {
    await run.end();
  }
}

const fail = (): never => {
  throw new Error(textFor("error message"));
};

/** A guard that blocks fails its call, as it should, and the other calls continue. */
const quiet = (call: () => Promise<unknown>): Promise<unknown> => call().catch(() => undefined);

async function callModel(stack: PluginStack, run: Run): Promise<void> {
  const request = { model: "suite-doctor", messages: [message("user", textFor("prompt"))], tools: [] };
  const outcome = await stack.call("model", run, request, async (invocation) => {
    invocation.respond({ value: { message: { role: "assistant", parts: [text(textFor("answer"))] } } });
  });
  await outcome.final();
}

async function callTool(stack: PluginStack, run: Run, tool: Tool): Promise<void> {
  const request = { id: `call-${tool.name}`, tool, input: { note: textFor("tool argument") } };
  const outcome = await stack.call("tool", run, request, async (invocation) => {
    invocation.respond({ value: await tool.execute?.(invocation.request.input, run, invocation.call) });
  });
  await outcome.final();
}
