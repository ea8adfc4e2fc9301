import type { Awaitable, CallNext, Delta, Invocation, Reply, Stage } from "@suite/core";
import { treatValue } from "../redact/value.js";
import { restoreText } from "../tokens/restore-stream.js";
import { prepared, preparedStage } from "./prepared.js";
import { RestoreStage } from "./restore-stage.js";
import type { RunTokens, TokenRuns } from "./run-tokens.js";

/** Whole replies: values go back where the answer leaves the outermost run. */
export function replyLayer(runs: TokenRuns) {
  return async (context: Invocation<"agent">, callNext: CallNext): Promise<void> => {
    const own = runs.of(context.runtime);
    own.layered = true;
    await callNext();
    if (own.outermost) context.pipe(restoreOutput(runs, own));
  };
}

/** The output of a reply with its values restored. */
export function restoreOutput(runs: TokenRuns, own: RunTokens): Stage<Delta, Reply> {
  const stage = new RestoreStage(own, runs.rules.reader);
  return runs.async ? preparedStage(own, stage, new RestoreStage(own, runs.rules.reader)) : stage;
}

/**
 * The input of a tool that may see values.
 *
 * @param take is given it.
 */
export function restoreInput<T>(
  { rules }: TokenRuns,
  own: RunTokens,
  input: unknown,
  take: (restored: unknown) => T,
): Awaitable<T> {
  const restore = (): unknown => treatValue(input, (text) => restoreText(text, rules.reader, own.find));
  return prepared(own, restore, () => take(restore()));
}
