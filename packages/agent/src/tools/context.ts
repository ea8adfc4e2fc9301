import type { Message } from "@suite/core";
import type { PluginStack, Run } from "@suite/core/adapter";
import type { ApprovalRequest } from "@suite/core/contract";
import type { ToolCallPart, ToolCallResponsePart } from "@suite/core/messages";
import type { AgentOptions } from "../options.js";
import type { Decision } from "../pending/decisions.js";
import type { Resuming } from "../pending/resuming.js";
import type { PendingCall, PendingState } from "../pending/state.js";
import type { Edit } from "./input.js";
import type { AgentTool } from "./tool.js";

/** The context that all tool calls of one run share. */
export interface RunContext {
  readonly run: Run;
  readonly stack: PluginStack;
  readonly maxParallelTools: number;
  readonly toolTimeout: number | undefined;
  /** True if the caller asked for a stream. */
  readonly streaming: boolean;
  /** The settings for resuming suspended runs. Inner agents inherit them. */
  readonly resuming: Resuming;
  /** Asks a person who is present. `undefined` suspends the run. */
  readonly onHumanInput: AgentOptions["onHumanInput"];
}

/** The context that the tool calls of one reply share. */
export interface ToolContext extends RunContext {
  readonly batch: Batch;
  /** The tools by name at the time when the calls began. */
  readonly tools: ReadonlyMap<string, AgentTool>;
  readonly calls: readonly ToolCallPart[];
  /** The history up to the reply, which is the last message. */
  readonly history: readonly Message[];
  /** The tools that a layer removed from the request. The model did not see them and cannot call them. */
  readonly withheld: ReadonlySet<string>;
}

/** A call that a person has approved: the call to run, and the call that they were shown. */
export interface ApprovedCall {
  readonly name: string;
  readonly arguments: unknown;
  readonly shown: NonNullable<ApprovalRequest["approved"]>;
}

/** The tool calls of one reply and their current state. */
export class Batch {
  /** The results so far, by call id. */
  readonly done: Map<string, ToolCallResponsePart>;
  /** The calls that the run waits for. */
  waiting: readonly PendingCall[];
  /** Approved calls that have not run yet, by call id. Each approval covers its call once. */
  readonly approved: Map<string, ApprovedCall> = new Map();
  /** Decisions on calls of inner agents that were not passed on yet, by pending id. */
  readonly decisions: Map<string, Decision> = new Map();
  /** Calls as a person edited them, by call id. */
  readonly edited: Map<string, Edit> = new Map();
  /** Calls whose tools were started. They are never started again, however the run ends. */
  readonly begun: Set<string> = new Set();
  /** Inner agents that refused to resume without using up their state, by call id. */
  readonly refusals: Map<string, { readonly error: unknown; readonly held: PendingState }> = new Map();
  /** Promises that resolve when the run of an inner agent ends, by call id. */
  readonly leaving: Map<string, Promise<void>> = new Map();
  /** The prompts of inner agents, by call id. */
  readonly prompts: Map<string, string> = new Map();

  constructor(done: readonly ToolCallResponsePart[] = [], waiting: readonly PendingCall[] = []) {
    this.done = new Map(done.map((part) => [part.id, part]));
    this.waiting = waiting;
  }
}

const appended = new WeakMap<AgentTool, { readonly outer: PluginStack; readonly stack: PluginStack }>();

/** Returns the layers of the run with the plugins of the tool inside them. */
export function stackOf(tool: AgentTool, outer: PluginStack): PluginStack {
  if (tool.plugins === undefined || tool.plugins.length === 0) return outer;
  const known = appended.get(tool);
  if (known?.outer === outer) return known.stack;
  const stack = outer.append(tool.plugins);
  appended.set(tool, { outer, stack });
  return stack;
}
