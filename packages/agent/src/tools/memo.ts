import { type RuntimeContext, stateKey } from "@suite/core";
import { canonical, shownArguments } from "../pending/digest.js";
import type { AgentTool } from "./tool.js";

/** A memo as it travels in a pending state. */
interface Stored {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  readonly asking?: string;
  readonly answers: readonly (readonly [string, unknown])[];
  readonly done: readonly (readonly [string, StepResult])[];
}

/** The result of a step that was done; of one whose result cannot be kept, only that it was. */
export type StepResult = { readonly value: unknown } | { readonly unkept: true };

/** The memo of a tool call that asks, or does steps: for when its tool runs again. */
export class Memo {
  /** The question that waits, by its key. */
  asking: string | undefined;
  /** Answers by the key of the question. They count until the tool has ended well. */
  readonly answers: Map<string, unknown>;
  /** Steps that were done, by name. */
  readonly done: Map<string, StepResult>;
  /** Steps that are at work. */
  readonly running: Map<string, Promise<StepResult>> = new Map();
  /** The run was suspended in it: the tool is to go on, and whoever had to approve it has done so. */
  #begun: boolean;
  /** The call as layers had made it when it first went on, as text. */
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

  /** Whether a call with this input goes on in what was begun. With other arguments than at first, a layer calls anew. */
  goesOn({ name }: AgentTool, input: unknown): boolean {
    if (!this.#begun || name !== this.tool) return false;
    const text = canonical(shownArguments(input));
    this.#goesOnAs ??= text;
    return text === this.#goesOnAs || text === canonical(this.input);
  }

  isOf(name: string, input: unknown): boolean {
    return name === this.tool && canonical(input) === canonical(this.input);
  }

  /** The tool has ended well: an answer counts no more, what was done stays done. */
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

/** Memos of the calls that are open, by call id. */
const memos = stateKey("agent.steps", () => new Map<string, Memo>(), {
  save: (all) => (all.size === 0 ? undefined : [...all].map(([id, memo]) => memo.stored(id))),
  load: (stored) =>
    new Map((stored as readonly Stored[]).map((each) => [each.id, new Memo(each.tool, each.input, each)])),
});

export const memoOf = (runtime: RuntimeContext, id: string): Memo | undefined => runtime.get(memos).get(id);

/** The memo of a call with this input, which begins anew where there is none of just this. */
export function openMemo(runtime: RuntimeContext, id: string, name: string, input: unknown): Memo {
  const all = runtime.get(memos);
  const known = all.get(id);
  if (known?.isOf(name, input) === true) return known;
  const memo = new Memo(name, input);
  all.set(id, memo);
  return memo;
}

export const forgetMemo = (runtime: RuntimeContext, id: string): void => void runtime.get(memos).delete(id);

/** Gives a tool its answer, if it is a tool that asked, and not the model: it is to run again. */
export function answerTool(runtime: RuntimeContext, id: string, response: unknown): boolean {
  const memo = memoOf(runtime, id);
  if (memo?.asking === undefined) return false;
  memo.answers.set(memo.asking, response);
  memo.asking = undefined;
  return true;
}
