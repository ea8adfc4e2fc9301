import { assembleReply, type Delta, type Outcome, type Part, type Reply, type Suspended } from "@suite/core";
import { Fifo } from "../fifo.js";

/** A piece of progress of an agent that is a tool: a part of what it says, or progress of a tool of its own. */
export type InnerProgress =
  | { readonly agent: string; readonly part: Part }
  | { readonly agent: string; readonly progress: unknown };

/** Reads what an inner agent says to its end, and tells each part when that is whole. What fails is for the result to say. */
export async function tellParts(
  agent: string,
  outcome: Outcome<Delta, Reply>,
  tell: (progress: InnerProgress) => void,
): Promise<void> {
  const open = new Map<string, Delta[]>();
  const end = (at: string): void => {
    const deltas = open.get(at) ?? [];
    open.delete(at);
    for (const part of assembleReply(deltas).message.parts) tell({ agent, part });
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
      else endAll(); // tools are at work, or it is over: the reply is whole
      if (delta.type === "event" && delta.name === "tool_progress") tell({ agent, progress: delta.value });
    }
    endAll();
  } catch {
    // told by the result of the run
  }
}

type Ended = { readonly value: unknown } | Suspended;

/**
 * The progress of an inner agent while it is at work, and then its answer, as the stream of a tool. Not a generator: it would
 * make whoever leaves it wait for the agent, which is told to stop then.
 *
 * @param run runs the agent, until the signal says to stop.
 */
export const progressThen = (
  run: (tell: (progress: InnerProgress) => void, left: AbortSignal) => Promise<Ended>,
): AsyncIterable<unknown, Suspended | void> => ({
  [Symbol.asyncIterator]() {
    const told = new Fifo<InnerProgress>();
    const leaving = new AbortController();
    let running: Promise<Ended> | undefined;
    let wake = (): void => {};
    let hasEnded = false;
    let isOver = false;
    const begin = (): Promise<Ended> => {
      const tell = (progress: InnerProgress): void => {
        told.push(progress);
        wake();
      };
      const begun = run(tell, leaving.signal);
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
        if (told.size === 0 && !hasEnded) await woken;
        const progress = told.shift();
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
