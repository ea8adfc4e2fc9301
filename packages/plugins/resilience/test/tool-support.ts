import type { Notification, Plugin, Request } from "@suite/core";
import { PluginStack, type Run, type RunOptions } from "@suite/core/adapter";

/** One attempt of a scripted tool: what it gives, an error, or what it yields, which may break off with an error. */
export type ToolScript = { readonly value: unknown; readonly isError?: boolean } | Error | readonly unknown[];

async function* yielded(script: readonly unknown[]): AsyncGenerator<unknown, void> {
  for (const each of script) {
    if (each instanceof Error) throw each;
    yield each;
  }
}

/** A run of some plugins, in which a tool is called that follows a script. */
export class ToolRig {
  /** The decisions that were told. */
  readonly told: Notification[] = [];
  readonly stack: PluginStack;
  readonly run: Run;
  /** The inputs with which the tool was run. */
  readonly ran: unknown[] = [];
  readonly script: ToolScript[];

  constructor(plugins: readonly Plugin[], script: readonly ToolScript[], options: RunOptions = {}) {
    this.stack = new PluginStack([
      { name: "observer", observe: (told) => void (told.type === "decision" && this.told.push(told)) },
      ...plugins,
    ]);
    this.run = this.stack.begin(options);
    this.script = [...script];
  }

  /** The words of those decisions. */
  get decisions(): readonly string[] {
    return this.told.flatMap((each) => (each.type === "decision" ? [each.decision] : []));
  }

  /** A tool call: what it gave, piece by piece, and whether it is an answer of failure. */
  async call(changes: Partial<Request<"tool">> = {}): Promise<{ pieces: unknown[]; failed: boolean }> {
    const request = { id: "1", tool: { name: "search" }, input: { q: 1 }, ...changes };
    const outcome = await this.stack.call("tool", this.run, request, async (invocation) => {
      this.ran.push(invocation.request.input);
      const next = this.script.shift() ?? { value: "found" };
      if (next instanceof Error) throw next;
      if (Array.isArray(next)) invocation.respond({ stream: yielded(next) });
      else invocation.respond(next as { value: unknown });
    });
    const pieces: unknown[] = [];
    for await (const piece of outcome) pieces.push(piece);
    return { pieces, failed: outcome.isError === true };
  }
}

/** An error with a code, as an agent or an adapter throws it. */
export const coded = (code: string): Error => Object.assign(new Error(code), { code });
