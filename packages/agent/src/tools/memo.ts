import { type RuntimeContext, stateKey } from "@suite/core";
import { canonical } from "@suite/kit/digest";
import { displayArguments } from "../pending/json.js";
import type { AgentTool } from "./tool.js";

/** The stored form of a memo in a pending state. */
interface Stored {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  readonly asking?: string;
  readonly answers: readonly (readonly [string, unknown])[];
  readonly done: readonly (readonly [string, StepResult])[];
}

/** The result of a finished step. If the result is not JSON, only the fact that the step was done is stored. */
export type StepResult = { readonly value: unknown } | { readonly unkept: true };

/** The memo of a tool call that asks questions or runs steps. It is used when the tool runs again. */
export class Memo {
  /** The key of the question that waits. */
  asking: string | undefined;
  /** Answers by question key. They are valid until the tool completes. */
  readonly answers: Map<string, unknown>;
  /** Finished steps, by name. */
  readonly done: Map<string, StepResult>;
  /** Running steps, by name. */
  readonly running: Map<string, Promise<StepResult>> = new Map();
  /** True if the run was suspended in this call. The tool then continues without a new approval. */
  #begun: boolean;
  /** The call as layers had changed it when it first continued, as a canonical string. */
  #goesOnAs: string | undefined;

  constructor(
    readonly tool: string,
    readonly input: unknown,
    stored?: Stored,
  ) {
    this.asking = stored?.asking;
    this.answers = new Map(stored?.answers);
    this.done = new Map(stored?.done);
    this.#begun = stored !== undefined;
  }

  /**
   * Returns true if a call with this input continues the call that suspended the run. If a layer has changed the
   * arguments since then, it is a new call.
   */
  goesOn({ name }: AgentTool, input: unknown): boolean {
    if (!this.#begun || name !== this.tool) return false;
    const text = canonical(displayArguments(input));
    this.#goesOnAs ??= text;
    return text === this.#goesOnAs || text === canonical(this.input);
  }

  isOf(name: string, input: unknown): boolean {
    return name === this.tool && canonical(input) === canonical(this.input);
  }

  /** Marks the tool as completed: answers are removed, finished steps are kept. */
  end(): void {
    this.#begun = false;
    this.asking = undefined;
    this.answers.clear();
  }

  stored(id: string): Stored {
    const { tool, input, asking, answers, done } = this;
    return { id, tool, input, ...(asking !== undefined && { asking }), answers: [...answers], done: [...done] };
  }
}

/** Memos of the open calls, by call id. */
const memos = stateKey("agent.steps", () => new Map<string, Memo>(), {
  save: (all) => (all.size === 0 ? undefined : [...all].map(([id, memo]) => memo.stored(id))),
  load: (stored) =>
    new Map((stored as readonly Stored[]).map((each) => [each.id, new Memo(each.tool, each.input, each)])),
});

export const memoOf = (runtime: RuntimeContext, id: string): Memo | undefined => runtime.get(memos).get(id);

/** Returns the memo of a call with exactly this input. Creates a new one if necessary. */
export function openMemo(runtime: RuntimeContext, id: string, name: string, input: unknown): Memo {
  const all = runtime.get(memos);
  const known = all.get(id);
  if (known?.isOf(name, input) === true) return known;
  const memo = new Memo(name, input);
  all.set(id, memo);
  return memo;
}

export const forgetMemo = (runtime: RuntimeContext, id: string): void => void runtime.get(memos).delete(id);

/**
 * Stores the answer to a question that the tool asked. Returns true if the tool, and not the model, asked it: the tool
 * must run again.
 */
export function answerTool(runtime: RuntimeContext, id: string, response: unknown): boolean {
  const memo = memoOf(runtime, id);
  if (memo?.asking === undefined) return false;
  memo.answers.set(memo.asking, response);
  memo.asking = undefined;
  return true;
}
