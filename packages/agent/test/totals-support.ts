import type { AgentOptions, AgentTool, Model } from "@suite/agent";
import { createAgent } from "@suite/agent";
import type { Delta, Part, Reply, Usage } from "@suite/core";
import { explodeReply } from "@suite/core/messages";
import { call } from "./support.js";

/** One answer of a model: what it says, what it uses (10 in, 5 out), and how long it takes. */
export interface Answer {
  readonly says?: string | readonly Part[];
  readonly usage?: Usage;
  readonly ms?: number;
  readonly fails?: Error;
}

/** The time, which passes only where a test says so. */
export const clock = { now: 0 };

export const tokens = (inputTokens: number, outputTokens: number): Usage => ({ inputTokens, outputTokens });

/** A model that gives these answers, one after the other. */
export function model(...answers: readonly Answer[]): Model {
  let asked = 0;
  const next = (): Reply => {
    const { says = "done", usage = tokens(10, 5), ms = 0, fails } = answers[asked++] ?? {};
    clock.now += ms;
    if (fails !== undefined) throw fails;
    const parts: readonly Part[] = typeof says === "string" ? [{ type: "text", content: says }] : says;
    return { message: { role: "assistant", parts }, usage, finishReason: "stop" };
  };
  return {
    name: "scripted-1",
    generate: async () => next(),
    async *stream(): AsyncGenerator<Delta, void> {
      yield* explodeReply(next());
    },
  };
}

export const asks = (...names: readonly string[]): readonly Part[] =>
  names.map((name, index) => call(`${index}`, name, { prompt: "?" }));

export const agentOf = (
  name: string,
  answers: readonly Answer[],
  tools: readonly AgentTool[] = [],
  more: Partial<AgentOptions> = {},
) => createAgent({ name, model: model(...answers), tools, ...more });
