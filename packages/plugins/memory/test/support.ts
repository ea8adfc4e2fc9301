import { message, type Notification, type Plugin, type Reply, text } from "@suite/core";
import { PluginStack, type Run, type RunOptions } from "@suite/core/adapter";
import type { MemoryRecord } from "@suite/core/contract";
import type { MemoryStore } from "@suite/memory";

/** The end of one run. */
export interface Ran {
  /** The system prompt that the model was given. */
  readonly prompt: string;
  readonly error?: unknown;
}

/** The acts within one run, made by hand. */
export interface Acts {
  readonly question?: string;
  readonly answer?: string;
  readonly options?: RunOptions;
  /** Happens while the model is asked. */
  readonly meanwhile?: (run: Run) => unknown;
  /** The end of the run in place of an answer: an error, or a suspension. */
  readonly ends?: "failed" | "suspended";
}

/** Runs of an agent with some plugins, made by hand. */
export class Rig {
  readonly told: Notification[] = [];
  readonly stack: PluginStack;

  constructor(plugins: readonly Plugin[]) {
    const observe = (notification: Notification) => void this.told.push(notification);
    this.stack = new PluginStack([{ name: "observer", observe }, ...plugins]);
  }

  /** One run of a user. */
  async run(user: string | undefined, acts: Acts = {}): Promise<Ran> {
    const { question = "hello", answer = "hi", options = {}, meanwhile, ends } = acts;
    const run = this.stack.begin({ ...(user !== undefined && { userId: user }), ...options });
    let prompt = "";
    try {
      const outcome = await this.stack.call("agent", run, { messages: [message("user", question)] }, async (c) => {
        prompt = await this.stack.systemPrompt("You help.", run);
        await meanwhile?.(run);
        if (ends === "failed") throw new Error("the model is away");
        if (ends === "suspended") return c.respond({ suspended: [] });
        c.respond({ value: said(answer) });
      });
      const settlement = ends === "suspended" ? undefined : await outcome.final();
      return { prompt, ...(settlement === undefined && {}) };
    } catch (error) {
      return { prompt, error };
    } finally {
      await run.end();
    }
  }

  /** The decisions that were told, by name. */
  get decisions(): readonly string[] {
    return this.told.flatMap((each) => (each.type === "decision" ? each.decision : []));
  }
}

const said = (answer: string): Reply => ({ message: message("assistant", [text(answer)]) });

/** A store that can be looked into, and told to fail or to wait. */
export class Shelf implements MemoryStore {
  readonly id = "shelf";
  readonly kept: { readonly user: string; readonly agent?: string; readonly content: unknown }[] = [];
  readonly asked: string[] = [];
  fails: Error | undefined;
  waits: Promise<void> | undefined;

  async search({ user }: { readonly user: string }, query: string, limit: number): Promise<readonly MemoryRecord[]> {
    this.asked.push(query);
    await this.#acts();
    return this.kept.filter((each) => each.user === user).slice(0, limit);
  }

  async add(
    { user, agent }: { readonly user: string; readonly agent?: string },
    records: readonly MemoryRecord[],
  ): Promise<readonly MemoryRecord[]> {
    await this.#acts();
    for (const { content } of records) this.kept.push({ user, ...(agent !== undefined && { agent }), content });
    return records.map((record, at) => ({ id: `${at}`, ...record }));
  }

  async forget(user: string): Promise<number> {
    await this.#acts();
    const all = this.kept.splice(0);
    this.kept.push(...all.filter((each) => each.user !== user));
    return all.length - this.kept.length;
  }

  async #acts(): Promise<void> {
    await this.waits;
    if (this.fails !== undefined) throw this.fails;
  }
}
