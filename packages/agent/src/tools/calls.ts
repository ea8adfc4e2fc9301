import type { ApprovalRequest, ToolCallResponsePart } from "@suite/core";
import type { Decision } from "../pending/decisions.js";
import type { PendingCall, PendingState } from "../pending/state.js";
import type { Edit } from "./edit.js";

/** A call that a person has approved: what is to run, and what they were shown. */
export interface ApprovedCall {
  readonly name: string;
  readonly arguments: unknown;
  readonly shown: NonNullable<ApprovalRequest["approved"]>;
}

/** The tool calls of one reply, and what has become of each so far. */
export class Batch {
  /** Results that are there, by call id. */
  readonly done: Map<string, ToolCallResponsePart>;
  /** The calls that the run waits for. */
  waiting: readonly PendingCall[];
  /**
   * The calls that a person has approved and that have not run yet, by call id: each counts for the call that it was
   * made on, once.
   */
  readonly approved: Map<string, ApprovedCall> = new Map();
  /** Decisions on calls of inner agents that these have not been given yet, by pending id. */
  readonly decisions: Map<string, Decision> = new Map();
  /** Calls as a person edited them, by call id. */
  readonly edited: Map<string, Edit> = new Map();
  /** Calls whose tools were begun: whatever becomes of the run, they are not begun again. */
  readonly begun: Set<string> = new Set();
  /** Inner agents that refused to go on, and used nothing up, by call id. */
  readonly refusals: Map<string, { readonly error: unknown; readonly held: PendingState }> = new Map();
  /** Resolves when the run of an inner agent is over, by call id. */
  readonly leaving: Map<string, Promise<void>> = new Map();
  /** The prompts of inner agents, by call id. */
  readonly prompts: Map<string, string> = new Map();

  constructor(done: readonly ToolCallResponsePart[] = [], waiting: readonly PendingCall[] = []) {
    this.done = new Map(done.map((part) => [part.id, part]));
    this.waiting = waiting;
  }
}
