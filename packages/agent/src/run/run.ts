import type { Delta, Message, Outcome, Reply } from "@suite/core";
import type { Run } from "@suite/core/adapter";
import { judged, settlementOf } from "@suite/core/framework";
import { explainIssues } from "@suite/kit/schema";
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
  readonly onInterrupted: ((interrupted: InterruptedRun) => unknown) | undefined;
}

/** One run of an agent that has begun. It must be read to its end or closed. */
export class AgentRun {
  readonly #parts: RunParts;
  readonly #ledger: Ledger;
  #outcome: Outcome<Delta, Reply> | undefined;
  #output: { readonly output?: unknown } = {};

  constructor(parts: RunParts) {
    this.#parts = parts;
    this.#ledger = ledgerOf(parts.run);
  }

  /** The answer as a stream. */
  get outcome(): Outcome<Delta, Reply> {
    return this.#outcome as Outcome<Delta, Reply>;
  }

  /** The history so far, with an answer to every tool call. Also available if the run failed or was aborted. */
  get messages(): readonly Message[] {
    return complete(this.#turn);
  }

  /** The totals so far. Also available if the run failed or was aborted. */
  get totals(): RunTotals {
    return this.#ledger.total;
  }

  /** Calls the `agent` layers. An error that they throw ends the run. */
  async enter(call: () => Promise<Outcome<Delta, Reply>>): Promise<this> {
    try {
      const outcome = await call();
      const { outputSchema } = this.#parts.agent.options;
      // An answer that does not match the schema is a failure for the layers, too.
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

  /** Reads the rest of the stream, ends the run and returns its result. */
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
    return { ...result, values: this.#parts.run.left ?? noValues }; // a plugin's `end` may add values
  }

  /** Ends the run: aborts running work and cancels streams that were not read. The duration is counted until then. */
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
      // A layer suspended a resumed run itself. Only one of the two states may be resumed.
      await this.#parts.start.resumed?.claim();
      const pending = await this.#pending(suspendedAt(turn));
      return { status: "suspended", messages: turn.messages, pending, ...common };
    }
    const { message, finishReason } = settlement.final;
    const text = finalText(settlement.final, turn.lastCalls);
    // A layer that answers instead of the agent ends the conversation with its answer.
    if (!turn.over) turn.messages = [...complete(turn), message];
    else if (this.outcome.byLayer === true) turn.messages = withFinalText(turn.messages, text);
    const { messages } = turn;
    return { status: "completed", text, message, messages, finishReason, ...this.#output, ...common };
  }

  /** The last attempt, or a new one if no layer has started any. */
  get #turn(): Turn {
    const { start, messages } = this.#parts;
    return start.turn ?? new Turn(start, messages);
  }

  async #check(reply: Reply, schema: InputSchema): Promise<void> {
    const { agent } = this.#parts;
    const text = finalText(reply, this.#turn.lastCalls);
    // An answer that a layer returns instead of the model, for example a refusal, need not match the schema.
    const isModelText = text === this.#turn.modelText;
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      if (!isModelText) return;
      throw new AgentError(
        "ERR_AGENT_OUTPUT_INVALID",
        `The final answer of ${agent.name} is not JSON, which its output schema requires.`,
      );
    }
    const result = await check(schema, parsed);
    if ("value" in result) this.#output = { output: result.value };
    if ("value" in result || !isModelText) return;
    throw new AgentError(
      "ERR_AGENT_OUTPUT_INVALID",
      `The final answer of ${agent.name} does not match its output schema. ${explainIssues(result.issues)}`,
    );
  }

  /**
   * Reports the state of a run that failed or was aborted, if the run has done anything. A state that was not used is
   * still valid.
   */
  async #interrupted(error: unknown): Promise<void> {
    const { start, run, onInterrupted } = this.#parts;
    if (onInterrupted === undefined || start.turn === undefined || start.resumed?.claimed === false) return;
    try {
      const pending = await this.#pending(interruptedAt(start.turn)).catch(() => undefined);
      const { messages, totals } = this;
      this.#ledger.end(pending !== undefined); // a run that can be resumed has not ended
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
