import { expect } from "@jest/globals";
import type { AgentResult, Model, PendingCall, PendingState } from "@suite/agent";
import { type Delta, type ModelRequest, type Part, type Reply, textOf, toolCall } from "@suite/core";
import { explodeReply } from "@suite/core/messages";

/** The words of the model in one round: text, tool calls, an error, or a function of the request. */
export type Said = string | readonly Part[] | Error | ((request: ModelRequest) => string | readonly Part[]);

/** A model that says these things, round after round, and remembers what it was asked. */
export function scripted(...rounds: readonly Said[]): Model & { readonly asked: ModelRequest[] } {
  const asked: ModelRequest[] = [];
  const next = (request: ModelRequest): Reply => {
    asked.push(request);
    const said = rounds[asked.length - 1];
    if (said === undefined) throw new Error(`the script has ${rounds.length} rounds`);
    if (said instanceof Error) throw said;
    const content = typeof said === "function" ? said(request) : said;
    const parts: readonly Part[] = typeof content === "string" ? [{ type: "text", content }] : content;
    const finishReason = parts.some(({ type }) => type === "tool_call") ? "tool_call" : "stop";
    return { message: { role: "assistant", parts }, usage: { inputTokens: 10, outputTokens: 5 }, finishReason };
  };
  return {
    name: "scripted-1",
    provider: "test",
    asked,
    async generate(request) {
      return next(request);
    },
    async *stream(request): AsyncGenerator<Delta, void> {
      for (const delta of explodeReply(next(request))) {
        if (delta.type !== "part" || delta.part.type !== "text") {
          yield delta;
          continue;
        }
        for (const content of delta.part.content.match(/[\s\S]{1,4}/g) ?? []) {
          yield { ...delta, part: { type: "text", content } };
        }
      }
    },
  };
}

export const call = (id: string, name: string, args: unknown = {}): Part => toolCall(id, name, args);

/** The tool results that the model was shown last. */
export const shown = (request: ModelRequest | undefined): unknown[] =>
  (request?.messages.at(-1)?.parts ?? []).map((part) =>
    part.type === "tool_call_response" ? part.response : textOf([part]),
  );

/** The code of what this rejects with, or the error itself where it has none. */
export async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
    return "did not reject";
  } catch (error) {
    return (error as { code?: unknown }).code ?? error;
  }
}

/** The pending state of a run, through JSON, as a store or another process has it. */
export async function suspended(promise: Promise<AgentResult>): Promise<PendingState> {
  const done = await promise;
  expect(done.status).toBe("suspended");
  return JSON.parse(JSON.stringify("pending" in done && done.pending)) as PendingState;
}

/** One of the calls that wait. */
export function only(state: PendingState, index = 0): PendingCall {
  const waiting = state.calls[index];
  if (waiting === undefined) throw new Error("nothing waits");
  return waiting;
}
