import type { Delta, Message, Outcome, Reply } from "@suite/core";
import type { Run } from "@suite/core/adapter";
import { judged, settlementOf } from "@suite/core/framework";
import { explainIssues } from "@suite/core/schema";
import { AgentError } from "../errors.js";
import { finalText, withFinalText } from "../loop/history.js";
import { type Checkpoint, complete, interruptedAt, type Start, suspendedAt, Turn } from "../loop/turn.js";
import type { InterruptedRun } from "../options.js";
import type { AgentParts } from "../parts.js";
import { writePending } from "../pending/read.js";
import type { Resuming } from "../pending/resuming.js";
import { type PendingState, portable } from "../pending/state.js";
import { type AgentResult, noValues } from "../result.js";
import { check, type InputSchema } from "../tools/schema.js";
import { type Ledger, ledgerOf } from "../totals/ledger.js";
import type { RunTotals } from "../totals/totals.js";

/** The parts of an agent's run. */
export interface RunParts {
  readonly agent: AgentParts;
  readonly run: Run;
  readonly start: Start;
  /** The messages before any layer has changed them. */
  readonly messages: readonly Message[];
  readonly resuming: Resuming;
  readonly onInterrupted: ((left: InterruptedRun) => unknown) | undefined;
}

/** One run of an agent, begun. It must be read to its end, or closed. */
export class AgentRun {
  readonly #parts: RunParts;
  readonly #ledger: Ledger;
  #outcome: Outcome<Delta, Reply> | undefined;
  #output: { readonly output?: unknown } = {};

  constructor(parts: RunParts) {
    this.#parts = parts;
    this.#ledger = ledgerOf(parts.run);
  }

  /** The answer, as it streams. */
  get outcome(): Outcome<Delta, Reply> {
    return this.#outcome as Outcome<Delta, Reply>;
  }

  /** The history so far, with an answer to every tool call: also when the run failed or was aborted. */
  get messages(): readonly Message[] {
    return complete(this.#turn);
  }

  /** The totals of what it has used and done so far: also when the run failed or was aborted. */
  get totals(): RunTotals {
    return this.#ledger.total;
  }

  /** Goes through the `agent` layers. What they throw ends the run. */
  async enter(call: () => Promise<Outcome<Delta, Reply>>): Promise<this> {
    try {
      const outcome = await call();
      const { outputSchema } = this.#parts.agent.options;
      // An answer that does not fit has failed for the layers, too.
      if (outputSchema !== undefined) judged(outcome, (reply) => this.#check(reply, outputSchema));
      this.#outcome = outcome;
      return this;
    } catch (error) {
      this.#parts.run.failed(error);
      await this.#interrupted(error);
      await this.close();
      throw error;
    }
  }

  /** Reads what is left, ends the run, and tells how it ended. */
  async result(): Promise<AgentResult> {
    let result: AgentResult;
    try {
      result = await this.#read();
    } catch (error) {
      this.#parts.run.failed(error);
      await this.#interrupted(error);
      throw error;
    } finally {
      await this.close();
    }
    return { ...result, values: this.#parts.run.left ?? noValues }; // a plugin's `end` may leave some
  }

  /** Ends the run: what is at work is told to stop, and what nobody has read is cancelled. It counts until then. */
  async close(reason?: unknown): Promise<void> {
    await this.#parts.run.end(reason);
    this.#ledger.end(false);
  }

  async #read(): Promise<AgentResult> {
    const settlement = await settlementOf(this.outcome);
    if (settlement.status === "failed") throw settlement.error;
    if (settlement.status === "cancelled") throw settlement.reason;
    this.#ledger.end(settlement.status === "suspended");
    const turn = this.#turn;
    const common = { runId: this.#parts.run.runId, ...this.totals, rounds: turn.round, values: noValues };
    if (settlement.status === "suspended") {
      // A layer that suspends a resumed run by itself: of its two states one may be resumed.
      await this.#parts.start.resumed?.claim();
      const pending = await this.#pending(suspendedAt(turn));
      return { status: "suspended", messages: turn.messages, pending, ...common };
    }
    const { message, finishReason } = settlement.final;
    const text = finalText(settlement.final, turn.lastCalls);
    // A layer that answers in the agent's place ends the conversation with its answer.
    if (!turn.over) turn.messages = [...complete(turn), message];
    else if (this.outcome.byLayer === true) turn.messages = withFinalText(turn.messages, text);
    const { messages } = turn;
    return { status: "completed", text, message, messages, finishReason, ...this.#output, ...common };
  }

  /** The last attempt; one that did not begin, where no layer has asked for any. */
  get #turn(): Turn {
    const { start, messages } = this.#parts;
    return start.turn ?? new Turn(start, messages);
  }

  async #check(reply: Reply, schema: InputSchema): Promise<void> {
    const { agent } = this.#parts;
    const text = finalText(reply, this.#turn.lastCalls);
    // What a layer says in the model's place, a refusal say, is no answer to the schema.
    const isOwn = text === this.#turn.modelText;
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      if (!isOwn) return;
      throw new AgentError(
        "ERR_AGENT_OUTPUT_INVALID",
        `The final answer of ${agent.name} is not JSON, as its output schema asks for.`,
      );
    }
    const result = await check(schema, parsed);
    if ("value" in result) this.#output = { output: result.value };
    if ("value" in result || !isOwn) return;
    throw new AgentError(
      "ERR_AGENT_OUTPUT_INVALID",
      `The final answer of ${agent.name} does not fit its output schema. ${explainIssues(result.issues)}`,
    );
  }

  /** Tells what a run that did not end well has left, if it has done anything: a state that was not used up is good still. */
  async #interrupted(error: unknown): Promise<void> {
    const { start, run, onInterrupted } = this.#parts;
    if (onInterrupted === undefined || start.turn === undefined || start.resumed?.claimed === false) return;
    try {
      const pending = await this.#pending(interruptedAt(start.turn)).catch(() => undefined);
      const { messages, totals } = this;
      this.#ledger.end(pending !== undefined); // what can go on is not over
      await onInterrupted({ error, messages, totals, ...(pending !== undefined && { pending }) });
    } catch (failure) {
      run.fault("onInterrupted", failure);
    }
  }

  #pending(checkpoint: Checkpoint): Promise<PendingState> {
    const { run, agent, resuming } = this.#parts;
    const now = Date.now();
    const state = {
      version: 1,
      id: crypto.randomUUID(),
      runId: run.runId,
      agent: agent.name,
      ...(run.sessionId !== undefined && { sessionId: run.sessionId }),
      ...(run.userId !== undefined && { userId: run.userId }),
      ...(run.tenantId !== undefined && { tenantId: run.tenantId }),
      createdAt: now,
      expiresAt: now + resuming.expiresIn,
      ...checkpoint,
      messages: portable(checkpoint.messages),
      durable: run.save(),
    } as const;
    return resuming.keys.sign(writePending(state, resuming.maxBytes));
  }
}
