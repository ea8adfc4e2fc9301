import type { Delta, ModelRequest, Notification, Plugin, Reply, Request, RuntimeContext } from "@suite/core";
import { message, textOf, toolCall } from "@suite/core";
import { PluginStack, type Run, type RunOptions } from "@suite/core/adapter";

export const request: ModelRequest = { model: "any", messages: [message("user", "hi")], tools: [] };
export const reply = (text: string, usage?: Reply["usage"]): Reply => ({
  message: message("assistant", text),
  ...(usage !== undefined && { usage }),
});

/** A run of some plugins, in which calls are made by hand. */
export class Rig {
  readonly told: Notification[] = [];
  readonly stack: PluginStack;
  readonly run: Run;
  /** The requests that have reached the model. */
  readonly asked: ModelRequest[] = [];

  constructor(plugins: readonly Plugin[], options: RunOptions = {}) {
    const observe = (notification: Notification, _: RuntimeContext) => void this.told.push(notification);
    this.stack = new PluginStack([{ name: "observer", observe }, ...plugins]);
    this.run = this.stack.begin(options);
  }

  /** A model call. The model gives the answer; as a stream, where it is deltas. */
  async model(
    answer: Reply | readonly Delta[] | Error = reply("said"),
    changes: Partial<ModelRequest> = {},
  ): Promise<Reply> {
    const outcome = await this.stack.call("model", this.run, { ...request, ...changes }, async (invocation) => {
      this.asked.push(invocation.request);
      if (answer instanceof Error) throw answer;
      if (!Array.isArray(answer)) return invocation.respond({ value: answer as Reply });
      invocation.respond({
        stream: (async function* () {
          yield* answer;
        })(),
      });
    });
    return outcome.final();
  }

  /** The text of a model call's answer. */
  async says(answer?: Reply): Promise<string> {
    return textOf((await this.model(answer)).message);
  }

  /** A tool call, and whether its answer is one of failure. */
  async tool(name: string, changes: Partial<Request<"tool">> = {}): Promise<{ value: unknown; failed: boolean }> {
    const call = { id: "1", tool: { name }, input: {}, batch: [toolCall("1", name, {})], ...changes };
    const outcome = await this.stack.call("tool", this.run, call, async (invocation) => {
      invocation.respond({ value: `${name} ran` });
    });
    return { value: await outcome.final(), failed: outcome.isError === true };
  }
}
