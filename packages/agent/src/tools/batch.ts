import { type CallId, MiddlewareTermination, toolCallResponse } from "@suite/core";
import type { Pending } from "@suite/core/contract";
import type { EventDelta, ToolCallPart, ToolCallResponsePart } from "@suite/core/messages";
import { Fifo } from "../fifo.js";
import { copyOf, jsonCopy, maxDepth } from "../pending/json.js";
import type { ToolContext } from "./context.js";
import { stackOf } from "./context.js";
import { executeTool } from "./execute.js";
import { reportsProgress, waitingIn } from "./inner.js";
import { failureFor } from "./messages.js";
import { Pause } from "./progress.js";
import type { AgentTool } from "./tool.js";

/** The result of one call in a batch: a response for the model, or the calls that it waits for. */
export type CallResult = { readonly response: ToolCallResponsePart } | { readonly pending: readonly Pending[] };

/**
 * Runs the calls of one reply in parallel. Calls start, and results are returned, in the order of the calls. Progress
 * and ends are emitted as they happen.
 */
export async function* runBatch(
  calls: readonly ToolCallPart[],
  context: ToolContext,
  parent: CallId,
): AsyncGenerator<EventDelta, readonly CallResult[]> {
  const events = new EventQueue();
  let running = calls.length;
  let thrown: { readonly error: unknown } | undefined;
  const gate = new Gate(context.maxParallelTools);
  const results = calls.map(async (call) => {
    const turn = gate.enter();
    try {
      if (turn !== undefined) await turn;
      if (thrown !== undefined) throw thrown.error; // the run is over, so no further call starts
      const result = await runCall(call, context, parent, events);
      if ("response" in result) context.batch.done.set(call.id, result.response);
      return result;
    } catch (error) {
      thrown ??= { error };
      throw error;
    } finally {
      running--;
      gate.leave();
      events.wake();
    }
  });
  const all = Promise.all(results);
  all.catch(() => {}); // thrown below
  try {
    while (running > 0 || events.size > 0) {
      // The run has failed: closing it stops the calls that are still running.
      if (thrown !== undefined) throw thrown.error;
      const event = events.take();
      if (event !== undefined) yield event;
      else await events.wait();
    }
    return await all;
  } finally {
    events.close();
  }
}

async function runCall(
  call: ToolCallPart,
  context: ToolContext,
  parent: CallId,
  events: EventQueue,
): Promise<CallResult> {
  const { id, name } = call;
  const result = await outcomeOf(call, context, parent, (progress) =>
    events.offer({ type: "event", name: "tool_progress", value: { id, name, progress } }),
  );
  if ("response" in result) {
    events.push({ type: "event", name: "tool_result", value: { id, name, isError: result.response.isError === true } });
  }
  return result;
}

async function outcomeOf(
  call: ToolCallPart,
  context: ToolContext,
  parent: CallId,
  progressed: (progress: unknown) => Promise<void>,
): Promise<CallResult> {
  const { id, name } = call;
  // An unknown tool name passes through the layers too, because the attempt of the model must be visible to them.
  const tool: AgentTool = context.tools.get(name) ?? { name };
  // The last value is the result, so each value is held back until the next one. Progress of an agent is never the
  // result, so it is emitted at once.
  const reports = reportsProgress(tool);
  let last: unknown;
  let untold = false;
  const reportLast = async (): Promise<void> => {
    untold = false;
    await progressed(last);
  };
  try {
    const { calls: batch, history } = context;
    const request = { id, tool, input: copyOf(call.arguments), batch, history };
    const core = executeTool(context, call);
    const outcome = await stackOf(tool, context.stack).call("tool", context.run, request, core, parent);
    const chunks = outcome[Symbol.asyncIterator]();
    const pause = new Pause();
    for (;;) {
      const step = await chunks.next();
      if (step.done === true) {
        if (step.value !== undefined) return { pending: step.value.suspended };
        return { response: responseOf(id, name, last, outcome.isError) };
      }
      if (untold) await reportLast();
      last = step.value;
      untold = true;
      if (reports && typeof last === "object") await reportLast();
      await pause.due();
    }
  } catch (error) {
    const { signal } = context.run;
    if (signal.aborted) throw signal.reason;
    if (untold) await reportLast(); // the call has no result, so the last value is progress too
    if (MiddlewareTermination.is(error) && error.scope === "run") {
      if (error.reply !== undefined) context.batch.done.set(id, failureFor(id, name, error));
      throw error;
    }
    const refusal = context.batch.refusals.get(id);
    if (refusal === undefined || refusal.error !== error) return { response: failureFor(id, name, error) };
    // The decisions on it are not lost: it waits for them again.
    context.run.fault(`resume of the agent that ${name} runs`, error);
    return { pending: waitingIn(refusal.held, id) };
  }
}

/** Returns the result for the model as a JSON copy. Anything else could not be sent or stored in a pending state. */
function responseOf(id: string, name: string, result: unknown, isError = false): ToolCallResponsePart {
  const copy = typeof result === "string" ? { value: result } : jsonCopy(result);
  if (copy !== undefined) return toolCallResponse(id, copy.value, { isError });
  const why = `The result of ${name} is not JSON, or is nested more than ${maxDepth} deep.`;
  return toolCallResponse(id, why, { isError: true });
}

/** Limits how many calls run at the same time, in first-in, first-out order. */
class Gate {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** Enters the gate. Returns a promise to wait for, or `undefined` if there is a free place. */
  enter(): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free--;
      return undefined;
    }
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}

interface Item {
  readonly event: EventDelta;
  readonly onTaken?: () => void;
}

/** Async queue with one consumer, for the events of a batch. Progress waits until the consumer takes it. */
class EventQueue {
  readonly #items = new Fifo<Item>();
  #wake: (() => void) | undefined;
  #closed = false;

  get size(): number {
    return this.#items.size;
  }

  /** Adds an event without waiting. For events that are rare. */
  push(event: EventDelta): void {
    this.#add({ event });
  }

  /** Adds a progress event. Resolves when the consumer has taken it, so that the producer does not run ahead. */
  async offer(event: EventDelta): Promise<void> {
    if (this.#closed) return;
    await new Promise<void>((resolve) => this.#add({ event, onTaken: resolve }));
  }

  take(): EventDelta | undefined {
    const item = this.#items.shift();
    item?.onTaken?.();
    return item?.event;
  }

  /** Resolves when something has happened. */
  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  wake(): void {
    this.#wake?.();
  }

  /** Releases all producers when the consumer stops reading. */
  close(): void {
    this.#closed = true;
    while (this.size > 0) this.take();
  }

  #add(item: Item): void {
    if (this.#closed) return;
    this.#items.push(item);
    this.wake();
  }
}
