import type { Delta, Message, Outcome, Reply } from "@suite/core";
import type { Run } from "@suite/core/adapter";
import { settlementOf } from "@suite/core/framework";
import type { Agent } from "./agent.js";
import { AgentError } from "./errors.js";
import { answered } from "./loop/history.js";
import type { Turn } from "./loop/turn.js";
import { portable } from "./pending/state.js";
import { type AgentResult, finalText } from "./result.js";
import { check, explain } from "./tools/schema.js";
import { type Ledger, ledgerOf } from "./totals/ledger.js";
import type { RunTotals } from "./totals/totals.js";

const day = 24 * 60 * 60 * 1000;

/** One run of an agent, begun. It must be read to its end, or closed. */
export class AgentRun {
  readonly #ledger: Ledger;

  constructor(
    readonly agent: Agent,
    readonly run: Run,
    readonly turn: Turn,
    readonly outcome: Outcome<Delta, Reply>,
  ) {
    this.#ledger = ledgerOf(run);
  }

  /** The history so far, with an answer to every tool call: also when the run failed or was aborted. */
  get messages(): readonly Message[] {
    return answered(this.turn.messages);
  }

  /** What it has used and done so far: also when the run failed or was aborted. */
  get totals(): RunTotals {
    return this.#ledger.whole;
  }

  /** Reads what is left, ends the run, and tells how it ended. */
  async result(): Promise<AgentResult> {
    try {
      const settlement = await settlementOf(this.outcome);
      this.#ledger.end(settlement.status === "suspended");
      const common = { runId: this.run.runId, ...this.totals, rounds: this.turn.round };
      if (settlement.status === "failed") throw settlement.error;
      if (settlement.status === "cancelled") throw settlement.reason;
      if (settlement.status === "suspended") {
        const pending = await this.#pending();
        return { ...common, status: "suspended", messages: this.turn.messages, pending };
      }
      const reply = settlement.final;
      const text = finalText(reply);
      const output = await this.#output(text);
      const messages = this.turn.round === 0 ? [...this.turn.messages, reply.message] : this.turn.messages;
      const finishReason = reply.finishReason;
      return { ...common, status: "completed", text, message: reply.message, messages, finishReason, ...output };
    } finally {
      await this.close();
    }
  }

  /** Ends the run: what is at work is told to stop, and what nobody has read is cancelled. It counts until then. */
  async close(reason?: unknown): Promise<void> {
    await this.run.end(reason);
    this.#ledger.end(false);
  }

  async #output(text: string): Promise<{ readonly output?: unknown }> {
    const schema = this.agent.options.outputSchema;
    if (schema === undefined) return {};
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      throw new AgentError(
        "ERR_OUTPUT_INVALID",
        `The final answer of ${this.agent.name} is not JSON, as its output schema asks for.`,
      );
    }
    const result = await check(schema, parsed);
    if ("value" in result) return { output: result.value };
    throw new AgentError(
      "ERR_OUTPUT_INVALID",
      `The final answer of ${this.agent.name} does not fit its output schema. ${explain(result.issues)}`,
    );
  }

  async #pending() {
    const { run, turn, agent } = this;
    const now = Date.now();
    const state = {
      version: 1,
      id: crypto.randomUUID(),
      runId: run.runId,
      agent: agent.name,
      ...(run.sessionId !== undefined && { sessionId: run.sessionId }),
      ...(run.userId !== undefined && { userId: run.userId }),
      createdAt: now,
      expiresAt: now + (agent.options.resume?.expiresIn ?? day),
      round: turn.round,
      messages: portable(turn.messages),
      calls: turn.waiting,
      done: [...turn.done.values()],
      durable: run.save(),
    } as const;
    return agent.keys.sign(JSON.parse(JSON.stringify(state)) as typeof state);
  }
}
