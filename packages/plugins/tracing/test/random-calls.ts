import { type CallId, type Delta, onAbort, type Request } from "@suite/core";
import type { Run } from "@suite/core/adapter";
import type { ExternalResultNotification, Pending } from "@suite/core/contract";
import type { Step } from "./random-plan.js";
import { modelRequest, reply, tool, user } from "./support.js";

/** The requests of a step, by kind. */
export const requests: { readonly [K in Step["kind"]]: (step: Step, id: string) => Request<K> } = {
  agent: () => ({ messages: [user("go")] }),
  model: (step) => modelRequest({ stream: !step.source.plain }),
  tool: ({ waits }, id) => ({ id, tool: tool("t", waits === "external" ? undefined : () => 1), input: {} }),
  humanInput: () => ({ question: "?" }),
  compressContext: () => ({ messages: [user("a")] }),
};

/** A chunk of a reply. */
export const word = (at: string): Delta => ({ type: "part", at, part: { type: "text", content: at } });
/** The values that answer a call of each kind. */
export const values: { readonly [K in Step["kind"]]: unknown } = {
  agent: reply("a"),
  model: reply("m"),
  tool: { is: 1 },
  humanInput: "yes",
  compressContext: [user("a")],
};

/** Rejects when the run is aborted, as whoever waits for a tool does. */
export const abortable = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const off = onAbort(signal, () => reject(signal.reason));
    work.then(resolve, reject).finally(off);
  });

/** A result comes for each call that waits, and for one of them twice. */
export function tell(
  run: Run,
  call: CallId,
  waiting: readonly Pending[],
  outcome: ExternalResultNotification["outcome"],
): void {
  for (const { part, reason } of [...waiting, ...waiting.slice(0, 1)]) {
    const about = { call, toolCallId: part.id, toolName: part.name };
    if (reason === "approval") run.notify({ type: "approval", ...about, decision: "approved" });
    const times = { handedOutAt: Date.now() - 10, returnedAt: Date.now() };
    run.notify({ type: "external_result", ...about, arguments: {}, outcome, ...times });
  }
}

/** Closed at once, also while it hangs. */
export const letGo = <C, R>(body: AsyncGenerator<C, R>): AsyncIterator<C, R | undefined> => ({
  next: () => body.next(),
  async return() {
    body.return(undefined as R).catch(() => {});
    return { done: true, value: undefined };
  },
});
