import type { Delta, ModelRequest, Notification, Plugin, Reply, RuntimeContext } from "@suite/core";
import { message, text } from "@suite/core";
import { PluginStack, type Run, type RunOptions } from "@suite/core/adapter";

export const request: ModelRequest = { model: "first", messages: [message("user", "hi")], tools: [] };
export const reply = (said: string): Reply => ({ message: message("assistant", said) });
export const part = (said: string): Delta => ({ type: "part", at: "0", part: text(said) });

/** An error as a provider's client throws it. */
export const failed = (status: number, headers: Readonly<Record<string, string>> = {}): Error =>
  Object.assign(new Error(`status ${status}`), { status, headers: new Headers(headers) });

/** One attempt of a scripted model: an answer, an error, or a stream of deltas that may break off with an error. */
export type Scripted = Reply | Error | readonly (Delta | Error)[];

async function* streamed(script: readonly (Delta | Error)[]): AsyncGenerator<Delta, void> {
  for (const each of script) {
    if (each instanceof Error) throw each;
    yield each;
  }
}

/** A run of some plugins, in which a model is asked that follows a script, and then says "said". */
export class Rig {
  readonly told: Notification[] = [];
  readonly stack: PluginStack;
  readonly run: Run;
  /** The requests that have reached the model. */
  readonly asked: ModelRequest[] = [];
  readonly script: Scripted[];

  constructor(plugins: readonly Plugin[], script: readonly Scripted[] = [], options: RunOptions = {}) {
    const observe = (notification: Notification, _: RuntimeContext) => void this.told.push(notification);
    this.stack = new PluginStack([{ name: "observer", observe }, ...plugins]);
    this.run = this.stack.begin(options);
    this.script = [...script];
  }

  /** The decisions that were told, in order. */
  get decisions(): readonly string[] {
    return this.told.flatMap((each) => (each.type === "decision" ? [each.decision] : []));
  }

  ask(changes: Partial<ModelRequest> = {}) {
    return this.stack.call("model", this.run, { ...request, ...changes }, async (invocation) => {
      this.asked.push(invocation.request);
      const next = this.script.shift() ?? reply("said");
      if (next instanceof Error) throw next;
      if (Array.isArray(next)) invocation.respond({ stream: streamed(next) });
      else invocation.respond({ value: next as Reply });
    });
  }

  /** The text of an answer, piece by piece as a reader has it, and the error that it ended with. */
  async read(changes?: Partial<ModelRequest>): Promise<{ pieces: string[]; error?: unknown }> {
    const pieces: string[] = [];
    try {
      for await (const delta of await this.ask(changes)) {
        if (delta.type === "part" && delta.part.type === "text") pieces.push(delta.part.content);
      }
      return { pieces };
    } catch (error) {
      return { pieces, error };
    }
  }
}
