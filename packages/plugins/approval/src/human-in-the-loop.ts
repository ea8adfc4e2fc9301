import {
  CoreError,
  definePlugin,
  type Plugin,
  type RuntimeContext,
  type Settlement,
  type ToolRequest,
} from "@suite/core";
import { isRecord } from "@suite/kit";
import { isTimeoutError } from "@suite/kit/errors";
import { plainMembers } from "@suite/kit/options";
import { checkStore } from "./approvals.js";
import { type Ask, Gate, heldKey } from "./gate.js";
import { Ledger, type LedgerOptions } from "./ledger.js";
import { checkDuration, checkNames, invalid, type Rule, ruleOf, type ToolApproval, type ToolRule } from "./rules.js";

/** The options of a guard, in addition to its rules. */
export interface ApprovalOptions extends LedgerOptions {
  /**
   * Ways to ask. Each receives every request: `webhook()`, `terminal()`, or a function. If none returns a
   * decision, the run is suspended.
   */
  readonly ask?: Ask | readonly Ask[];
  /** Milliseconds until a request and its decision expire. Default: a day. */
  readonly expiresIn?: number;
  /**
   * The arguments shown to people. `redacted` (default): redacted by the run's plugins. `full`: unchanged. `none`:
   * hidden. Arguments can be edited only if they are shown unchanged.
   */
  readonly show?: "redacted" | "full" | "none";
  /** Text before each question. */
  readonly descriptionPrefix?: string;
  /** `monitor` reports the calls that would have been held, and holds none. Default: `enforce`. */
  readonly mode?: "enforce" | "monitor";
  /** The name on spans and in records. Default: `human-in-the-loop`. */
  readonly name?: string;
}

const optionNames: Readonly<Record<keyof ApprovalOptions, true>> = {
  store: true,
  keys: true,
  ask: true,
  expiresIn: true,
  show: true,
  descriptionPrefix: true,
  mode: true,
  name: true,
};

/**
 * Holds tool calls until a person has decided on them. Other calls continue.
 *
 * @param tools the rules by tool name: `true`, `false`, or the allowed decisions. A tool that is not listed needs no
 *   approval.
 * @throws {ApprovalError} `ERR_APPROVAL_OPTION`
 * @example
 * ```ts
 * humanInTheLoop({
 *   refund: { allowedDecisions: ["approve", "reject"], when: ({ eur }) => eur > 50 },
 *   send_mail: true,
 * });
 * ```
 */
export function humanInTheLoop(tools: Readonly<Record<string, ToolRule>>, options: ApprovalOptions = {}): Plugin {
  if (!isRecord(tools)) throw invalid("humanInTheLoop() takes an object of rules, keyed by tool name.");
  const rules = new Map<string, Rule>();
  for (const [name, toolRule] of Object.entries(tools)) {
    const rule = ruleOf(name, toolRule);
    if (rule !== undefined) rules.set(name, rule);
  }
  return guardBy("humanInTheLoop()", (name) => rules.get(name), [...rules.keys()], options);
}

/**
 * Holds each call of the tools that it is attached to. For a tool of `@suite/agent`: `defineTool({ plugins:
 * [approvalRequired()], … })`.
 *
 * @throws {ApprovalError} `ERR_APPROVAL_OPTION`
 */
export function approvalRequired(rule: true | ToolApproval = true, options: ApprovalOptions = {}): Plugin {
  const only = ruleOf("each tool", rule);
  return guardBy("approvalRequired()", () => only, "all", { name: "approval-required", ...plainMembers(options) });
}

function guardBy(
  of: string,
  ruleFor: (tool: string) => Rule | undefined,
  tools: readonly string[] | "all",
  options: ApprovalOptions,
): Plugin {
  const {
    ask = [],
    expiresIn = 24 * 60 * 60 * 1000,
    show = "redacted",
    mode = "enforce",
  } = checkedOptions(of, options);
  const { name = "human-in-the-loop", descriptionPrefix = "" } = options;
  const ways = typeof ask === "function" ? [ask] : ask;
  const ledger = new Ledger(options);
  const gate = new Gate({
    name,
    ruleFor,
    ledger,
    ways,
    expiresIn,
    show,
    descriptionPrefix,
    enforced: mode === "enforce",
  });
  return definePlugin({
    name,
    inSubAgents: true,
    whereOffered: ["tool", "model"],
    settings: { tools, mode, show, expiresIn, signed: ledger.keys.sign, ways: ways.length },
    approval: (request, runtime) => gate.approval(request, runtime),
    forgetUser: (user) => ledger.forgetUser(user),
    async tool(invocation, callNext) {
      const { runtime, request } = invocation;
      try {
        await callNext();
      } catch (error) {
        endUse(runtime, request, { status: "failed", error });
        throw error;
      }
      invocation.pipe({
        settle: (settlement) => endUse(runtime, request, settlement, invocation.result?.isError),
      });
    },
    // When the model is asked again, calls of the previous answer are not retried, so approvals of failed calls cover
    // nothing new.
    async model({ runtime, request }, callNext) {
      if (request.purpose === undefined) forgetFailed(runtime);
      await callNext();
    },
    // Attempts made by an inner layer. The layer of this plugin only sees the last one.
    observe(notification, runtime) {
      if (notification.type !== "attempt" || notification.call.kind !== "tool") return;
      endUse(runtime, notification.request as ToolRequest, notification.settlement, notification.isError);
    },
  });
}

/** Ends the use of approvals by an attempt. If the tool failed by itself, they cover another attempt. */
function endUse(
  runtime: RuntimeContext,
  { id }: ToolRequest,
  settlement: Settlement<unknown>,
  isError: boolean | undefined = false,
): void {
  const uses = runtime.get(heldKey);
  const use = uses.get(id);
  if (use === undefined) return;
  const failed = settlement.status === "failed" ? !isTimeoutError(settlement.error) : isError;
  if (failed && !wasAbandoned(use.attempt)) use.failed = true;
  else uses.delete(id);
}

/** Drops the approvals used by failed calls, because a later call may have the same id and arguments. */
function forgetFailed(runtime: RuntimeContext): void {
  const uses = runtime.get(heldKey);
  for (const [id, { failed }] of uses) if (failed) uses.delete(id);
}

/** Returns true if an attempt was cancelled, and not only superseded by the next one. */
const wasAbandoned = (signal: AbortSignal | undefined): boolean =>
  signal?.aborted === true && !(CoreError.is(signal.reason) && signal.reason.code === "ERR_CANCELLED");

/** @throws {ApprovalError} `ERR_APPROVAL_OPTION` */
function checkedOptions(of: string, options: ApprovalOptions): ApprovalOptions {
  if (!isRecord(options)) throw invalid(`${of} takes an object of options.`);
  options = checkNames(of, options, optionNames);
  const { ask, expiresIn, show, mode, name, descriptionPrefix, store } = options as ApprovalOptions;
  checkStore(of, store);
  if (expiresIn !== undefined) checkDuration(`expiresIn of ${of}`, expiresIn);
  if (show !== undefined && !["redacted", "full", "none"].includes(show)) {
    throw invalid(`The option show of ${of} must be "redacted", "full" or "none".`);
  }
  if (mode !== undefined && mode !== "enforce" && mode !== "monitor") {
    throw invalid(`The option mode of ${of} must be "enforce" or "monitor".`);
  }
  if (name !== undefined && (typeof name !== "string" || name === ""))
    throw invalid(`The option name of ${of} must be a string.`);
  if (descriptionPrefix !== undefined && typeof descriptionPrefix !== "string") {
    throw invalid(`The option descriptionPrefix of ${of} must be a string.`);
  }
  const ways: readonly unknown[] = ask === undefined ? [] : Array.isArray(ask) ? ask : [ask];
  if (!ways.every((way) => typeof way === "function"))
    throw invalid(`The option ask of ${of} must be a function or a list of functions.`);
  return options;
}
