import {
  type HookName,
  type Message,
  type ModelRequest,
  message,
  type Notification,
  type Plugin,
  type Reply,
} from "@suite/core";
import { PluginStack, type Run, type RunOptions } from "@suite/core/adapter";

/** The hooks of a framework in which a plugin finds no place to replace the history. */
const served: ReadonlySet<HookName> = new Set(["model", "tool", "systemPrompt", "tools", "observe"]);

/** A run of some plugins, in which model calls are made by hand. */
export class Rig {
  readonly told: Notification[] = [];
  readonly stack: PluginStack;
  readonly run: Run;
  /** The requests that have reached the model. */
  readonly asked: ModelRequest[] = [];

  constructor(plugins: readonly Plugin[], options: RunOptions = {}) {
    const observe = (notification: Notification) => void this.told.push(notification);
    this.stack = new PluginStack([{ name: "observer", observe }, ...plugins], served);
    this.run = this.stack.begin(options);
  }

  /** The messages that reach the model. */
  async model(messages: readonly Message[], changes: Partial<ModelRequest> = {}): Promise<readonly Message[]> {
    const request: ModelRequest = { model: "any", messages, tools: [], ...changes };
    const outcome = await this.stack.call("model", this.run, request, async (invocation) => {
      this.asked.push(invocation.request);
      invocation.respond({ value: said });
    });
    await outcome.final();
    return this.asked.at(-1)?.messages ?? [];
  }

  /** The decisions and limits that were told, with what they say. */
  get decisions(): readonly object[] {
    return this.told.map(({ type, ...rest }) => ({ type, ...rest, call: undefined }));
  }
}

const said: Reply = { message: message("assistant", "said") };
