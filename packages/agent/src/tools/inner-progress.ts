import type { Delta, Outcome, Part, Reply } from "@suite/core";
import type { Suspended } from "@suite/core/contract";
import { assembleReply } from "@suite/core/messages";
import { Fifo } from "../fifo.js";

/** Progress of an agent that is a tool: a part of its answer, or progress of one of its tools. */
export type InnerProgress =
  | { readonly agent: string; readonly part: Part }
  | { readonly agent: string; readonly progress: unknown };

/**
 * Reads the answer of an inner agent to its end and reports each part when it is complete. Errors are reported with the
 * result of the run.
 */
export async function reportParts(
  agent: string,
  outcome: Outcome<Delta, Reply>,
  report: (progress: InnerProgress) => void,
): Promise<void> {
  const open = new Map<string, Delta[]>();
  const end = (at: string): void => {
    const deltas = open.get(at) ?? [];
    open.delete(at);
    for (const part of assembleReply(deltas).message.parts) report({ agent, part });
  };
  const endAll = (): void => {
    for (const at of [...open.keys()]) end(at);
  };
  try {
    for await (const delta of outcome) {
      if (delta.type === "part" || delta.type === "arguments") {
        const known = open.get(delta.at);
        if (known === undefined) open.set(delta.at, [delta]);
        else known.push(delta);
      } else if (delta.type === "part_end") end(delta.at);
      else endAll(); // tools are running or the run is over, so the parts of the reply are complete
      if (delta.type === "event" && delta.name === "tool_progress") report({ agent, progress: delta.value });
    }
    endAll();
  } catch {
    // the result of the run reports it
  }
}

type Ended = { readonly value: unknown } | Suspended;

/**
 * Streams the progress of an inner agent and then its answer. Not a generator: `return()` of a generator would wait for
 * the agent. Here it aborts the signal and returns at once.
 *
 * @param run runs the agent until the signal aborts.
 */
export const progressThen = (
  run: (report: (progress: InnerProgress) => void, leaveSignal: AbortSignal) => Promise<Ended>,
): AsyncIterable<unknown, Suspended | void> => ({
  [Symbol.asyncIterator]() {
    const queue = new Fifo<InnerProgress>();
    const leaving = new AbortController();
    let running: Promise<Ended> | undefined;
    let wake = (): void => {};
    let hasEnded = false;
    let isOver = false;
    const begin = (): Promise<Ended> => {
      const report = (progress: InnerProgress): void => {
        queue.push(progress);
        wake();
      };
      const begun = run(report, leaving.signal);
      const ended = (): void => {
        hasEnded = true;
        wake();
      };
      begun.then(ended, ended);
      return begun;
    };
    return {
      async next() {
        if (isOver) return over;
        running ??= begin();
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        if (queue.size === 0 && !hasEnded) await woken;
        const progress = queue.shift();
        if (progress !== undefined) return { done: false, value: progress };
        isOver = true;
        if (leaving.signal.aborted) return over;
        const answer = await running;
        return "suspended" in answer ? { done: true, value: answer } : { done: false, value: answer.value };
      },
      async return() {
        isOver = true;
        leaving.abort();
        wake();
        return over;
      },
    };
  },
});

const over = { done: true, value: undefined } as const;
