import { type Invocation, type Notification, type Plugin, type RunSettlement, type Tool, toolCall } from "@suite/core";
import { PluginStack, type Run, type RunOptions } from "@suite/core/adapter";

/** A run of plugins, whose tools are called by hand, through all `tool` layers. */
export class Rig {
  readonly told: Notification[] = [];
  readonly stack: PluginStack;
  readonly run: Run;

  constructor(plugins: readonly Plugin[], options: RunOptions = {}) {
    const observe = (notification: Notification) => void this.told.push(notification);
    this.stack = new PluginStack([{ name: "observer", observe }, ...plugins]);
    this.run = this.stack.begin(options);
  }

  /** The result of one call of a tool that a plugin offers, or that is given. */
  async call(tool: string | Tool, input: unknown): Promise<unknown> {
    const offered = typeof tool === "string" ? (await this.tools()).find(({ name }) => name === tool) : tool;
    if (offered === undefined) throw new Error(`no tool ${tool}`);
    const request = { id: "1", tool: offered, input };
    const outcome = await this.stack.call("tool", this.run, request, async (invocation) => {
      const { tool, input } = invocation.request;
      invocation.respond({ value: await tool.execute?.(input, invocation.runtime, invocation.call) });
    });
    return outcome.final();
  }

  tools(): Promise<readonly Tool[]> {
    return this.stack.tools(this.run);
  }

  /** Ends the run, so. */
  async end(status: RunSettlement["status"] = "completed"): Promise<void> {
    if (status === "suspended") {
      const pending = [{ reason: "input" as const, part: toolCall("1", "ask", {}) }];
      const waits = async (invocation: Invocation<"agent">) => invocation.respond({ suspended: pending });
      for await (const _ of await this.stack.call("agent", this.run, { messages: [] }, waits));
    }
    if (status === "failed") this.run.failed(new Error("failed"));
    await this.run.end(status === "cancelled" ? new Error("cancelled") : undefined);
  }

  /** The decisions that were told, of one name. */
  decided(decision: string): readonly Notification[] {
    return this.told.filter((each) => each.type === "decision" && each.decision === decision);
  }
}
