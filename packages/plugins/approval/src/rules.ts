import type { Awaitable, RuntimeContext } from "@suite/core";
import type { ApprovalDecision } from "@suite/core/contract";
import { isRecord } from "@suite/kit";
import { memberNames, plainMembers } from "@suite/kit/options";
import { ApprovalError } from "./errors.js";
import { type ArgsSchema, isStandard } from "./schema.js";

/** A tool call as rules are asked about it. */
export interface GuardedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

/** The approval that a tool needs. */
export interface ToolApproval {
  /** The decisions that it takes: `approve`, `edit`, `reject`, `respond`. Default: all of them. */
  readonly allowedDecisions?: readonly ApprovalDecision[];
  /** The question that a person is asked, or a function that makes it of the call. */
  readonly description?: string | ((call: GuardedCall, runtime: RuntimeContext) => Awaitable<string>);
  /** The schema of arguments that a person edits: JSON Schema, which they are shown, or a Standard Schema. */
  readonly argsSchema?: ArgsSchema;
  /**
   * Returns true if a call needs approval, by its arguments. If it throws, the call fails. Default: every call needs
   * approval.
   */
  when?(args: unknown, runtime: RuntimeContext): Awaitable<boolean>;
  /**
   * Lets a person also approve later calls of the tool by the same user in the session (in the run, if there is no
   * session): all of them, or those with the same `per` string. Expires after `expiresIn` milliseconds; a day by
   * default.
   */
  readonly always?: boolean | { readonly expiresIn?: number; per?(args: unknown): string };
}

/** `true`: any decision. `false`: no approval, as for a tool that is not named. */
export type ToolRule = boolean | ToolApproval;

/** The approval of a tool with its defaults. */
export interface Rule extends Omit<ToolApproval, "allowedDecisions" | "always"> {
  readonly allowedDecisions: readonly ApprovalDecision[];
  readonly always: { readonly expiresIn: number; per(args: unknown): string } | undefined;
}

const all = ["approve", "edit", "reject", "respond"] as const satisfies readonly ApprovalDecision[];
const day = 24 * 60 * 60 * 1000;

/** Checks a rule when it is made. @throws {ApprovalError} `ERR_APPROVAL_OPTION` */
export function ruleOf(name: string, options: ToolRule): Rule | undefined {
  if (options === false) return undefined;
  const of = `the approval of ${name}`;
  const { allowedDecisions = all, always, ...rest } = checked(of, options === true ? {} : options);
  if (!Array.isArray(allowedDecisions) || allowedDecisions.length === 0 || !allowedDecisions.every(isDecision)) {
    throw invalid(`The allowedDecisions of ${of} must be one or more of ${all.join(", ")}.`);
  }
  const { description, when, argsSchema } = rest;
  if (description !== undefined && typeof description !== "string" && typeof description !== "function") {
    throw invalid(`The description of ${of} must be a string or a function.`);
  }
  if (when !== undefined && typeof when !== "function") throw invalid(`The option when of ${of} is a function.`);
  if (argsSchema !== undefined && !isRecord(argsSchema)) throw invalid(`The argsSchema of ${of} must be a schema.`);
  if (argsSchema !== undefined && !allowedDecisions.includes("edit")) {
    throw invalid(`The argsSchema of ${of} has no effect: allowedDecisions does not contain "edit".`);
  }
  return { ...rest, allowedDecisions: [...new Set(allowedDecisions)], always: alwaysOf(of, always, allowedDecisions) };
}

function alwaysOf(of: string, option: ToolApproval["always"], decisions: readonly ApprovalDecision[]): Rule["always"] {
  if (option === undefined || option === false) return undefined;
  if (!decisions.includes("approve")) throw invalid(`The option always of ${of} needs the decision "approve".`);
  if (option !== true && !isRecord(option)) throw invalid(`The option always of ${of} is true, or { expiresIn, per }.`);
  const { expiresIn = day, per = everyCall, ...others } = option === true ? {} : plainMembers(option);
  if (Object.keys(others).length > 0) throw invalid(`The option always of ${of} accepts only expiresIn and per.`);
  if (typeof per !== "function") throw invalid(`The option per of ${of} is a function.`);
  checkDuration(`expiresIn of ${of}`, expiresIn);
  return { expiresIn, per };
}

const everyCall = (): string => "";

/** @throws {ApprovalError} `ERR_APPROVAL_OPTION` */
export function checkDuration(of: string, value: unknown): void {
  if (typeof value === "number" && value >= 1 && value <= 365 * day) return;
  throw invalid(`The option ${of} must be a number of milliseconds between 1 and a year.`);
}

const names: Readonly<Record<keyof ToolApproval, true>> = {
  allowedDecisions: true,
  description: true,
  argsSchema: true,
  when: true,
  always: true,
};

function checked(of: string, options: unknown): ToolApproval {
  if (!isRecord(options)) throw invalid(`${of} is true, false, or an object of options.`);
  return checkNames(of, options as ToolApproval, names);
}

/**
 * Checks the names of options. Returns the options as a plain object, with methods of a class bound to its instance.
 *
 * @throws {ApprovalError} `ERR_APPROVAL_OPTION` for an option that does not exist.
 */
export function checkNames<O extends object>(of: string, options: O, known: Readonly<Record<string, unknown>>): O {
  const unknown = memberNames(options).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return plainMembers(options);
  throw invalid(`${of} has an unknown option. Options: ${Object.keys(known).join(", ")}.`);
}

/** The JSON Schema of edited arguments, for those who are asked. */
export const shownSchema = ({ argsSchema }: Rule): Readonly<Record<string, unknown>> | undefined =>
  argsSchema === undefined || isStandard(argsSchema) ? undefined : argsSchema;

const isDecision = (value: unknown): boolean => (all as readonly unknown[]).includes(value);

export const invalid = (message: string): ApprovalError => new ApprovalError("ERR_APPROVAL_OPTION", message);
