import { humanInTheLoop, type PersonDecision } from "@suite/approval";
import {
  type Invocation,
  type Kind,
  type ModelRequest,
  outermost,
  type Plugin,
  type Reply,
  type RuntimeContext,
  type StateStore,
  usageOf,
} from "@suite/core";
import { costBudget, modelCallLimit, rateLimit, replyBudget, toolCallLimit } from "@suite/limits";
import { logging } from "@suite/logging";
import {
  cache,
  circuitBreaker,
  hedge,
  modelFallback,
  repairToolCall,
  retryModel,
  retryTool,
  timeout,
  toolErrors,
  undo,
} from "@suite/resilience";

const treeOf = (runtime: RuntimeContext): string => outermost(runtime).runId;

/** The book of what really happened, which no plugin under test keeps. */
export class Book {
  readonly problems: string[] = [];
  /** Whether payments need a person's approval. */
  isGuarded = false;
  /** The plugins that have told a decision. */
  readonly acted = new Set<string>();
  /** The stages that were given to answers, and how often each was settled. */
  readonly stages: { readonly of: string; settled: number }[] = [];
  readonly #counts = new Map<string, number>();

  /** Adds to a count, which must never be above its maximum. */
  add(count: string, amount: number, maximum = Number.POSITIVE_INFINITY): void {
    const total = (this.#counts.get(count) ?? 0) + amount;
    this.#counts.set(count, total);
    if (total > maximum) this.problems.push(`${count}: ${total} of ${maximum}`);
  }

  total(count: string): number {
    return this.#counts.get(count) ?? 0;
  }

  /** A stage that is told once how its answer ended. */
  stage(of: string, settled: (completed: unknown) => void = () => {}) {
    const stage = { of, settled: 0 };
    this.stages.push(stage);
    return {
      settle: (settlement: { readonly status: string }) => {
        stage.settled++;
        settled(settlement);
      },
    };
  }

  /** The rules that were broken, when all runs have ended. */
  get broken(): readonly string[] {
    const unsettled = this.stages.filter(({ settled }) => settled !== 1);
    return [...this.problems, ...unsettled.map(({ of, settled }) => `a stage of ${of} was settled ${settled} times`)];
  }
}

/** A plugin that stands directly inside of another, and sees what that one lets through. */
function inside(
  name: string,
  kind: "model" | "tool",
  see: (invocation: Invocation<Kind>) => (end: unknown) => void,
): Plugin {
  const layer = async (invocation: Invocation<Kind>, callNext: () => Promise<void>): Promise<void> => {
    const ended = see(invocation);
    try {
      await callNext();
    } catch (error) {
      ended({ status: "failed", error });
      throw error;
    }
    invocation.pipe({ settle: ended });
  };
  return { name: `inside ${name}`, inSubAgents: true, [kind]: layer };
}

const statusOf = (end: unknown): string => (end as { status: string }).status;
const usageIn = (end: unknown): Reply["usage"] => (end as { final?: Reply }).final?.usage;

/** The price of a token of either kind: one, so that costs are whole. */
const prices = () => ({ input: 1_000_000, output: 1_000_000, maxOutputTokens: 4 });

/** Makes a plugin, and what stands inside of it to see what it lets through. */
export type Guard = (book: Book, store: StateStore) => readonly Plugin[];

/** The plugins of limits, resilience, approval and logging, by name. @param room the factor of all limits: 1 stops most runs. */
export const guardsOf = (room: number): Readonly<Record<string, Guard>> => ({
  modelCallLimit: (book, store) => [
    modelCallLimit({ runLimit: 4 * room, threadLimit: 6 * room, store, exitBehavior: "error" }),
    inside("modelCallLimit", "model", ({ runtime }) => {
      book.add(`model calls of ${treeOf(runtime)}`, 1, 4 * room);
      book.add(`model calls of the conversation`, 1, 6 * room);
      return () => {};
    }),
  ],
  toolCallLimit: (book, store) => [
    toolCallLimit({ runLimit: 3 * room, threadLimit: 5 * room, store }),
    inside("toolCallLimit", "tool", ({ runtime }) => {
      const counts = [
        [`tool calls of ${treeOf(runtime)}`, 3 * room] as const,
        ["tool calls of the conversation", 5 * room] as const,
      ];
      for (const [count, maximum] of counts) book.add(count, 1, maximum);
      return (end) => {
        // A call that waits for a person is not counted: it will ask again.
        if (statusOf(end) === "suspended") for (const [count] of counts) book.add(count, -1);
      };
    }),
  ],
  // A call reserves eight of it, and uses two.
  costBudget: (book, store) => [
    costBudget({ budget: 14 * room, per: "session", prices, store, countTokens: () => 4 }),
    inside("costBudget", "model", () => (end) => {
      const usage = usageIn(end);
      if (usage !== undefined) book.add("cost", usage.inputTokens + usage.outputTokens, 14 * room);
    }),
  ],
  replyBudget: (book) => [
    replyBudget({ tokenBudget: 5 * room }),
    inside("replyBudget", "model", ({ runtime, request }) => {
      const { inputTokens = 0, outputTokens = 0 } = usageOf(outermost(runtime)) ?? {};
      const { purpose, tools, toolChoice } = request as ModelRequest;
      const free = purpose !== undefined || tools.length === 0 || toolChoice === "none";
      if (inputTokens + outputTokens >= 5 * room && !free) book.problems.push("a reply over its budget may call tools");
      return () => {};
    }),
  ],
  rateLimit: (_, store) => [rateLimit({ calls: 6 * room, window: 600_000, maxWait: 5, store })],
  retryModel: () => [retryModel({ maxAttempts: 3, initialDelay: 1, maxDelay: 2, retryOn: () => true })],
  modelFallback: () => [modelFallback({ models: ["small"], fallbackOn: () => true })],
  timeout: () => [timeout({ call: 30 * room, tool: 30 * room })],
  circuitBreaker: () => [circuitBreaker({ failures: 2, openFor: 5, failOn: () => true })],
  hedge: () => [hedge({ delay: 2 })],
  cache: (_, store) => [cache({ tenant: "everyone", store, coalesce: 5 })],
  retryTool: () => [retryTool({ tools: ["add", "fail", "refund", "pay"], maxAttempts: 3, initialDelay: 1 })],
  toolErrors: () => [toolErrors()],
  undo: (_, store) => [undo({ store, tools: { add: () => {}, fail: () => {}, refund: () => {}, pay: () => {} } })],
  repairToolCall: () => [repairToolCall({ maxAttempts: 1 })],
  humanInTheLoop: (book, store) => {
    let asked = 0;
    const ask = (): PersonDecision => {
      if (asked++ % 3 === 2) return { decision: "reject" };
      book.add("grants", 1);
      return { decision: "approve" };
    };
    book.isGuarded = true;
    return [humanInTheLoop({ pay: true }, { store, ask })];
  },
  logging: () => [logging({ logger: { debug() {}, info() {}, warn() {}, error() {} } })],
});
