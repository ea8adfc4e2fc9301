import type { Delta, Outcome, Reply } from "@suite/core";
import type { Suspended } from "@suite/core/contract";
import { type OutcomeStep, readerOf, wholeOf } from "@suite/core/framework";
import { explodeReply } from "@suite/core/messages";
import { pendingIn } from "../turn/pending.js";
import type { Turn } from "../turn/turn.js";
import { ReadSteps, type Result, withChanges } from "./steps.js";

interface Output {
  parseCompleteOutput?(options: { readonly text: string }, context: object): PromiseLike<unknown>;
}

/**
 * Runs one turn for a complete answer.
 *
 * @param call runs the framework with the settings of this turn
 */
export async function generateTurn<R extends Result>(turn: Turn, call: () => PromiseLike<R>): Promise<R> {
  let generated: { readonly result: R; readonly read: ReadSteps } | undefined;
  const outcome = await turn.enter(async (invocation) => {
    const result = await call();
    turn.check();
    const read = new ReadSteps(result);
    generated = { result, read };
    const pending = pendingIn(result.steps.at(-1)?.content ?? [], turn.settings.tools);
    if (pending.length === 0) invocation.respond({ value: read.reply });
    else
      invocation.respond({ stream: replyThenSuspended(read.reply, { suspended: turn.suspend(invocation, pending) }) });
  });
  try {
    // A layer has answered. The framework gets that answer in place of the model's, and calls no model.
    if (generated === undefined) return await call();
    const { result, read } = generated;
    if (wholeOf(outcome) === read.reply) {
      await outcome.final();
      return result;
    }
    const deltas = await deltasOf(outcome);
    const changed = read.changedBy(deltas);
    if (changed === undefined) return result;
    const { status } = await outcome.settled;
    const parsed = status === "completed" ? await parsedOutput(turn, withChanges(result, changed, {})) : {};
    return withChanges(result, changed, parsed);
  } finally {
    const ending = turn.run.finish();
    if (ending !== undefined) await ending;
  }
}

/** Collects all deltas of an answer. Most of them are available without a promise. */
function deltasOf(outcome: Outcome<Delta, Reply>): Promise<readonly Delta[]> {
  return new Promise((resolve, reject) => {
    const deltas: Delta[] = [];
    const next = readerOf(outcome, (step) => read(step), reject);
    const read = (waited?: OutcomeStep<Delta>): void => {
      let step = waited ?? next();
      for (; step?.done === false; step = next()) deltas.push(step.value);
      if (step !== undefined) resolve(deltas);
    };
    read();
  });
}

async function* replyThenSuspended(reply: Reply, suspended: Suspended): AsyncGenerator<Delta, Suspended> {
  yield* explodeReply(reply);
  return suspended;
}

/** Parses the structured output from the text that the agent layers passed. */
async function parsedOutput(turn: Turn, result: Result): Promise<object> {
  const output = (turn.settings.output ?? turn.settings.experimental_output) as Output | undefined;
  if (typeof output?.parseCompleteOutput !== "function") return {};
  const last = result.steps.at(-1) as unknown as { readonly text: string; readonly usage: unknown };
  const value = await output.parseCompleteOutput(
    { text: last.text },
    { ...last, response: result.steps.at(-1)?.response },
  );
  return { output: value, experimental_output: value };
}
