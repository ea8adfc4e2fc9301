import { type CallId, type Notification, type Plugin, signalOf } from "@suite/core";
import { PluginStack, type RunOptions } from "@suite/core/adapter";
import type { ApprovalRequest, DecisionNotification } from "@suite/core/contract";

/** A framework of one tool call at a time, which asks the hook as adapters do. */
export class Rig {
  readonly told: Notification[] = [];
  /** The arguments that tools have run with. */
  readonly ran: unknown[] = [];
  readonly stack: PluginStack;
  readonly run;

  constructor(plugins: readonly Plugin[], options: RunOptions = {}) {
    this.stack = new PluginStack([{ name: "observer", observe: (told) => void this.told.push(told) }, ...plugins]);
    this.run = this.stack.begin(options);
  }

  /** A rig of the run resumed in another process: nothing is left of it but its id. */
  static resumed(plugins: readonly Plugin[], { run: { runId, sessionId } }: Rig): Rig {
    return new Rig(plugins, { runId, ...(sessionId !== undefined && { sessionId }) });
  }

  /** The decisions that were told. */
  get words(): readonly string[] {
    return this.decisions.map(({ decision }) => decision);
  }
  get decisions(): readonly DecisionNotification[] {
    return this.told.filter((each): each is DecisionNotification => each.type === "decision");
  }

  /** A call of a tool: what became of it. */
  async call(
    input: unknown,
    { id = "1", name = "pay", approved, fails = false, work }: CallOptions = {},
  ): Promise<string> {
    const tool = { name };
    const core = async (call: CallId): Promise<string> => {
      const asked: ApprovalRequest = { id, tool, input, call, ...(approved && { approved }) };
      const said = await this.stack.approval(asked, this.run);
      if (said !== undefined && !("decision" in said)) return `waits: ${said.decisions?.join(" ")}`;
      if (said?.decision === "reject") return `rejected: ${said.message}`;
      if (said?.decision === "respond") return `responded: ${JSON.stringify(said.response)}`;
      this.ran.push(said?.decision === "edit" ? said.arguments : input);
      if (fails) throw new Error("the tool failed");
      await work?.(this.ran.length, signalOf(call));
      return "ran";
    };
    const outcome = await this.stack.call("tool", this.run, { id, tool, input }, async (invocation) => {
      invocation.respond({ value: await core(invocation.call) });
    });
    return (await outcome.final()) as string;
  }
}

interface CallOptions {
  readonly id?: string;
  readonly name?: string;
  readonly approved?: ApprovalRequest["approved"];
  readonly fails?: boolean;
  /** The work of the tool in its nth attempt, from 1. */
  readonly work?: (attempt: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** The code of what this rejects with. */
export async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    return `did not reject: ${await promise}`;
  } catch (error) {
    return (error as { code?: unknown }).code ?? error;
  }
}
