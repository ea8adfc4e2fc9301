import {
  type Invocation,
  type Plugin,
  type RunSettlement,
  type RuntimeContext,
  type StateKey,
  type StateStore,
  treeKey,
} from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import type { UndoTool } from "@suite/core/contract";
import { isObject } from "@suite/kit";
import { type Check, oneOf, name as text, time } from "@suite/kit/options";
import { memoryStateStore } from "@suite/kit/store";
import { sleep, within } from "@suite/kit/time";
import { ResilienceError } from "./errors.js";
import { checkOptions } from "./options.js";
import { Journal, type Noted } from "./undo/journal.js";
import { noted } from "./undo/noted.js";

/** The result of undoing one tool call. */
export interface UndoResult {
  readonly toolCallId: string;
  readonly tool: string;
  /**
   * `undone`: undone now. `failed`: its undo failed, now or earlier, or there is none. `unknown`: the outcome of the
   * tool call, or of an undo started elsewhere, is not known. `elsewhere`: another caller has undone it meanwhile.
   */
  readonly outcome: "undone" | "failed" | "unknown" | "elsewhere";
}

/** The options of `undo`. Times are in milliseconds. */
export interface UndoOptions {
  /** The name on spans and in records. Default: `undo`. */
  readonly name?: string;
  /** The undo functions by tool name, for tools that do not define `undo` themselves. */
  readonly tools?: Readonly<Record<string, UndoTool>>;
  /** The store of the notes. Default: this process's memory, which is lost in a crash. */
  readonly store?: StateStore;
  /** The maximum time of one undo. Default: 30 000. */
  readonly timeout?: number;
  /**
   * Behavior for a call that began and whose outcome is unknown, because its process died or it timed out. `report`
   * (default): it is reported and left. `undo`: it is undone without a result. Use this for tools whose undo is
   * harmless if nothing was done.
   */
  readonly unknown?: "report" | "undo";
  /** The time that notes are kept. Default: 7 days. */
  readonly keepFor?: number;
}

/** The plugin that `undo` creates. */
export interface UndoPlugin extends Plugin {
  /**
   * Undoes the calls of a run whose process is gone, from any process that shares the store. End a running run first:
   * its next tool call that can be undone is refused.
   *
   * @param options.plugins the plugins that report it: `tracing()`, `audit()`. The caller closes them.
   * @returns the outcome of each call, last call first
   */
  recover(runId: string, options?: { readonly plugins?: readonly Plugin[] }): Promise<readonly UndoResult[]>;
}

/** The interval at which an undo that runs elsewhere is polled, in milliseconds. */
const POLL = 25;

const DAY = 24 * 60 * 60 * 1000;

/**
 * Undoes tool calls when their run fails or is cancelled: in reverse order, each call once across all callers. A tool
 * defines its `undo`, or `tools` does. Each call is recorded before it is made, and with its result before the model
 * receives it. A suspended run keeps its notes; a completed run deletes them. Calls of sub-agents are undone with the
 * outermost run. The run's error is not changed.
 *
 * @throws {ResilienceError} `ERR_RESILIENCE_OPTION`
 * @example
 * ```ts
 * undo({ store, tools: { book_flight: (input, flight) => airline.cancel(flight.id) } });
 * ```
 */
export function undo(options: UndoOptions = {}): UndoPlugin {
  const checks = {
    name: text,
    tools: undoTools,
    store,
    timeout: time,
    unknown: oneOf("report", "undo"),
    keepFor: time,
  };
  options = checkOptions("undo", options, checks);
  return new Undo(options);
}

/** A class, because a plugin's public members must be hooks. */
class Undo implements UndoPlugin {
  readonly name: string;
  readonly inSubAgents = true;
  readonly whereOffered = ["reasoning"] as const;
  readonly settings: NonNullable<Plugin["settings"]>;
  readonly #tools: Readonly<Record<string, UndoTool>>;
  readonly #timeout: number;
  readonly #unknown: "report" | "undo";
  readonly #journal: Journal;
  /** True if a run or one of its sub-agents has called a tool that can be undone. */
  readonly #used: StateKey<boolean>;
  /** The undo functions defined by tools of this process. */
  readonly #declared = new Map<string, UndoTool>();

  constructor(options: UndoOptions) {
    const { name = "undo", tools = {}, timeout = 30_000, unknown = "report", keepFor = 7 * DAY } = options;
    this.name = name;
    this.settings = { timeout, unknown, tools: Object.keys(tools) };
    this.#tools = tools;
    this.#timeout = timeout;
    this.#unknown = unknown;
    this.#journal = new Journal(options.store ?? memoryStateStore(), keepFor);
    this.#used = treeKey(`undo.used.${name}`, () => false, { save: (value) => value, load: Boolean });
  }

  /** Collects the tools: a run that resumes in another process may fail before it calls one. */
  reasoning({ request }: Invocation<"reasoning">, callNext: () => Promise<void>): Promise<void> {
    for (const { name, undo: way } of request.tools) if (way !== undefined) this.#declared.set(name, way);
    return callNext();
  }

  async tool(invocation: Invocation<"tool">, callNext: () => Promise<void>): Promise<void> {
    const { tool } = invocation.request;
    if (tool.undo !== undefined) this.#declared.set(tool.name, tool.undo);
    if (this.#wayOf(tool.name) === undefined) return callNext();
    invocation.runtime.set(this.#used, true);
    await noted(this.#journal, invocation, callNext);
  }

  async end(runtime: RuntimeContext, { status }: RunSettlement): Promise<void> {
    if (runtime.parent !== undefined || status === "suspended" || !runtime.get(this.#used)) return;
    const { runId } = runtime;
    if (status === "failed" || status === "cancelled")
      await runtime.background((background) => this.#undoAll(runId, background));
    else await this.#journal.forget(runId);
  }

  async recover(
    runId: string,
    { plugins = [] }: { readonly plugins?: readonly Plugin[] } = {},
  ): Promise<readonly UndoResult[]> {
    const run = new PluginStack(plugins).begin({});
    try {
      return await this.#undoAll(runId, run);
    } finally {
      await run.end();
    }
  }

  #wayOf(tool: string): UndoTool | undefined {
    return memberOf(this.#tools, tool) ?? this.#declared.get(tool);
  }

  async #undoAll(run: string, runtime: RuntimeContext): Promise<readonly UndoResult[]> {
    await this.#journal.close(run);
    const results: UndoResult[] = [];
    const counts = { undone: 0, failed: 0, unknown: 0, elsewhere: 0 };
    for (const noted of await this.#journal.notes(run)) {
      const { toolCallId, tool } = noted.note;
      const outcome = await this.#undoCall(run, noted, runtime);
      counts[outcome]++;
      results.push({ toolCallId, tool, outcome });
    }
    runtime.notify({ type: "decision", plugin: this.name, decision: "undo", enforced: true, details: counts });
    return results;
  }

  /** Undoes one call and reports it. */
  async #undoCall(run: string, { number, note }: Noted, runtime: RuntimeContext): Promise<UndoResult["outcome"]> {
    const { toolCallId, tool, input, result, state, calledAt, span } = note;
    const way = this.#wayOf(tool);
    if (state === "failed") return "failed";
    if (state === "begun" && this.#unknown === "report") return "unknown";
    if (way === undefined) return "failed";
    if (!(await this.#journal.claim(run, number))) return this.#undoneElsewhere(run, number);
    const startedAt = Date.now();
    const notify = (
      end: { readonly outcome: "completed" } | { readonly outcome: "failed"; readonly error: unknown },
    ): void =>
      runtime.notify({
        type: "undo",
        toolCallId,
        toolName: tool,
        arguments: input,
        ...end,
        calledAt,
        startedAt,
        endedAt: Date.now(),
        ...(span !== undefined && { span }),
      });
    // A store failure must not stop other undos. The claim holds, so this undo is not started again.
    const reportFault = (error: unknown): void => runtime.notify({ type: "fault", where: this.name, error });
    try {
      await within(this.#timeout, (signal) => way(input, result, { toolCallId, signal }), {
        late: () => tooLate(this.#timeout),
      });
    } catch (error) {
      await this.#journal.change(run, number, { state: "failed" }).catch(reportFault);
      notify({ outcome: "failed", error });
      return "failed";
    }
    await this.#journal.drop(run, number).catch(reportFault);
    notify({ outcome: "completed" });
    return "undone";
  }

  /** Waits for an undo that runs elsewhere, up to the time limit, because earlier calls must be undone after it. */
  async #undoneElsewhere(run: string, number: number): Promise<UndoResult["outcome"]> {
    for (const end = performance.now() + this.#timeout; ; ) {
      const note = await this.#journal.note(run, number);
      if (note === undefined) return "elsewhere";
      if (note.state === "failed") return "failed";
      if (performance.now() > end) return "unknown";
      await sleep(POLL);
    }
  }
}

/** Returns the undo function of a tool, bound to its object if it is a method of a class. */
function memberOf(tools: Readonly<Record<string, UndoTool>>, name: string): UndoTool | undefined {
  for (let at: unknown = tools; isObject(at) && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    const isClass = at !== tools && name === "constructor";
    if (Object.hasOwn(at, name) && !isClass) return tools[name]?.bind(tools);
  }
  return undefined;
}

const undoTools: Check = (value) =>
  isObject(value) && Object.values(value).every((each) => typeof each === "function")
    ? undefined
    : "an object of functions, by the names of tools";

const store: Check = (value) => (isObject(value) ? undefined : "a StateStore");

const tooLate = (milliseconds: number): ResilienceError =>
  new ResilienceError("ERR_RESILIENCE_TIMEOUT", `The undo took longer than ${milliseconds} ms.`);
