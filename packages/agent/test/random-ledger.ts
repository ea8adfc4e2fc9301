import type { AgentResult, Decision, PendingState } from "@suite/agent";
import { type Message, toolCallsOf } from "@suite/core";

class Violation extends Error {
  override readonly name = "Violation";
}

const textOf = (args: unknown): string => JSON.stringify(args, Object.keys(Object(args)).sort());

/** Whether a tool asked this, and not the model. */
export const asksItself = (question: string | undefined): boolean => question?.startsWith("Tool ") === true;

/** Keeps account of what people allowed, and of what was done. Each call of a model has a number of its own, `s`. */
export class Ledger {
  /** Calls that began in this leg, or that a person decided on again. */
  readonly begun = new Set<number>();
  /** The calls that were allowed and are not done, by arguments. */
  readonly #granted: string[] = [];
  /** Counts of how often a call began, and how often it failed. */
  readonly #began = new Map<number, number>();
  readonly #failed = new Map<number, number>();
  readonly #decisions = new Set<string>();
  /** The call that a decision is about. */
  readonly #about = new Map<Decision, number>();
  /** The run in which something was done about a prompt. */
  readonly #runs = new Map<string, string>();
  /** Answers to questions that tools asked. */
  readonly #answered = new Set<Decision>();
  effects = 0;
  /** The first rule that was broken within a run, where only a model would be told of it. */
  broken: Error | undefined;

  violation(what: string): Error {
    return new Violation(what);
  }

  /** A person was asked, and agreed to this tool with these arguments. */
  grants(tool: string, args: unknown): void {
    this.#granted.push(tool + textOf(args));
  }

  /** A tool was given an answer to the question of this call. */
  hears(s: number, said: unknown): void {
    this.begun.add(s);
    if ((said as { readonly s?: unknown } | null)?.s !== s) throw this.#fatal(`call ${s} has another's answer`);
  }

  /** Decisions are given, maybe again: each counts once. */
  decided(pending: PendingState, decisions: readonly Decision[]): void {
    for (const decision of decisions) {
      const waiting = pending.calls.find(({ id }) => id === decision.id);
      const args = waiting?.arguments;
      this.#about.set(decision, (args as { readonly s: number }).s);
      if (decision.type === "answer" && asksItself(waiting?.question)) this.#answered.add(decision);
      const name = `${pending.id} ${decision.id}`;
      if (decision.type !== "approve" || this.#decisions.has(name)) continue;
      this.#decisions.add(name);
      this.grants(decision.tool ?? (waiting?.name as string), decision.arguments ?? args);
    }
  }

  begins(s: number, tool: string, input: unknown, gated: boolean, prompt: string, runId: string): void {
    this.begun.add(s);
    const before = this.#began.get(s) ?? 0;
    if (before > (this.#failed.get(s) ?? 0)) throw this.#fatal(`call ${s} runs again`);
    this.#began.set(s, before + 1);
    if (gated && !this.#granted.includes(tool + textOf(input))) throw this.#fatal(`call ${s} runs as nobody allowed`);
    const run = this.#runs.get(prompt) ?? runId;
    this.#runs.set(prompt, run);
    if (run !== runId) throw this.#fatal(`${prompt} started again`);
  }

  fails(s: number): void {
    this.#failed.set(s, (this.#failed.get(s) ?? 0) + 1);
  }

  ends(s: number, tool: string, input: unknown, gated: boolean): void {
    this.effects++;
    if (!gated) return;
    const at = this.#granted.indexOf(tool + textOf(input));
    if (at < 0) throw this.#fatal(`call ${s} ran as nobody allowed`);
    this.#granted.splice(at, 1);
  }

  /** Checks that approved calls have run, or are asked about again, where nothing came between. */
  carriedOut(decisions: readonly Decision[], done: AgentResult): void {
    const waits = new Set(done.status === "suspended" ? done.pending.calls.map(({ id }) => id) : []);
    for (const decision of decisions) {
      const mustRun = decision.type === "approve" || this.#answered.has(decision);
      if (!mustRun || waits.has(decision.id)) continue;
      const s = this.#about.get(decision) as number;
      if (!this.begun.has(s)) throw this.violation(`call ${s} was approved, or answered, and did not run`);
    }
  }

  #fatal(what: string): Error {
    this.broken ??= this.violation(what);
    return this.broken;
  }
}

/** Checks a history: ids of calls are unique, and each call has one result, its own. @param pending what may have none yet. */
export function anyHistory(messages: readonly Message[], pending?: PendingState): void {
  const calls = messages.flatMap(toolCallsOf);
  if (new Set(calls.map(({ id }) => id)).size !== calls.length) throw new Violation("an id comes twice");
  const results = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "tool_call_response" ? [part] : [])),
  );
  const waiting = new Set(pending === undefined ? [] : toolCallsOf(messages.at(-1) ?? []).map(({ id }) => id));
  const answered = new Map(results.map((each) => [each.id, each.response]));
  if (answered.size !== results.length) throw new Violation("a call has two results");
  for (const { id, arguments: args } of calls) {
    if (answered.has(id) === waiting.has(id)) throw new Violation(`call ${id} has no result, or one while it waits`);
    const response = answered.get(id);
    const { s } = args as { readonly s?: number };
    if (typeof response === "object" && (response as { s?: number }).s !== s)
      throw new Violation(`call ${id} has another's result`);
  }
  if (answered.size + waiting.size !== calls.length) throw new Violation("a result has no call");
  for (const { id } of pending?.calls ?? []) {
    if (!waiting.has(id.split("/", 1)[0] as string)) throw new Violation("what waits is not in the history");
  }
}
