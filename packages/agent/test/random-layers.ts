import { type CallNext, type Invocation, override, type Plugin } from "@suite/core";

/** Calls again what failed, once or twice. */
const again =
  (times: number) =>
  async (c: Pick<Invocation<"model">, "result">, next: CallNext): Promise<void> => {
    for (let left = times; ; left--) {
      try {
        await next();
        const outcome = c.result;
        if (left === 0 || outcome === undefined) return;
        await outcome.final().catch(() => {});
        if ((await outcome.settled).status !== "failed") return;
      } catch (error) {
        if (left === 0) throw error;
      }
    }
  };

const retry = (kind: "agent" | "reasoning" | "model" | "tool") => (): Plugin => ({
  name: `retry ${kind}`,
  [kind]: again(2),
});

/** Layers that a random agent may have, by name. */
export const layers: Readonly<Record<string, (random: () => number) => Plugin>> = {
  retryAgent: retry("agent"),
  retryReasoning: retry("reasoning"),
  retryModel: retry("model"),
  retryTool: retry("tool"),
  doubles: () => ({
    name: "doubles",
    async tool(c, next) {
      const input = c.request.input as { readonly n?: number };
      if (input.n !== undefined) c.request = override(c.request, { input: { ...input, n: input.n * 2 } });
      await next();
    },
  }),
  /** Rewrites otherwise in each leg. */
  shifts: (random) => {
    const by = Math.floor(random() * 2);
    return {
      name: "shifts",
      async tool(c, next) {
        const input = c.request.input as { readonly n?: number };
        if (input.n !== undefined) c.request = override(c.request, { input: { ...input, n: input.n + by } });
        await next();
      },
    };
  },
  /** Spoils what it is given. */
  spoils: () => ({
    name: "spoils",
    async tool(c, next) {
      await next();
      Object.assign(c.request.input as object, { n: -1 });
    },
  }),
  refuses: (random) => ({
    name: "refuses",
    async agent(_c, next) {
      if (random() < 0.3) throw new Error("come back later");
      await next();
    },
  }),
};
