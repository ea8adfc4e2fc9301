import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import { GuardrailsError } from "../errors.js";
import { compiled } from "../patterns/engine.js";
import { toolPolicySchema } from "./schema.js";

/**
 * A condition on one argument of a tool call. All its keywords must hold. A value of an unexpected type never satisfies
 * an `allow` rule, and always satisfies a `deny` rule, because the policy cannot know how a tool interprets it.
 */
export interface ArgumentCondition {
  readonly const?: string | number | boolean | null;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** The minimum length, in UTF-16 units of a string or items of a list. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly startsWith?: string;
  readonly endsWith?: string;
  /**
   * An expression, run by RE2 in linear time, without look-around and back-references. Under `allow` it must match the
   * whole string, under `deny` any part of it.
   */
  readonly pattern?: string;
  /** True if, under `allow`, a call without the argument also meets the condition. */
  readonly optional?: boolean;
}

/** A rule of a policy. It selects calls by tool, role and arguments. */
export interface ToolPolicyRule {
  /** Names of tools; `*` matches any characters. */
  readonly tools: readonly string[];
  /** The roles that it applies to. Default: all roles, and calls without a role. */
  readonly roles?: readonly string[];
  /**
   * Conditions by the path of the argument: `amount`, `customer.country`, `items[].price` (of each entry). All must
   * hold.
   */
  readonly arguments?: Readonly<Record<string, ArgumentCondition>>;
  /** The message for the model if this rule refuses a call. */
  readonly message?: string;
}

/** A rate of a policy: a maximum number of calls, counted for all of its tools together. */
export interface ToolPolicyRate extends Pick<ToolPolicyRule, "tools" | "roles" | "message"> {
  readonly calls: number;
  /**
   * The scope of the count. `run`: the run with its sub-agents. `session`, `user`: by their ids. `all`: all calls
   * together.
   */
  readonly per: "run" | "session" | "user" | "all";
  /** The length of a window of the clock in seconds, for all scopes but `run`. Default: a day. */
  readonly windowSeconds?: number;
}

/**
 * A policy for tool calls, as data. A call that a `deny` rule matches is always refused. A call that no `allow` rule
 * matches is treated by `default`. A call above a rate is refused.
 */
export interface ToolPolicy {
  readonly $schema?: string;
  readonly version: 1;
  /** Default: `deny`. */
  readonly default?: "allow" | "deny";
  readonly allow?: readonly ToolPolicyRule[];
  readonly deny?: readonly ToolPolicyRule[];
  readonly rates?: readonly ToolPolicyRate[];
}

/** The maximum number of problems reported at once. */
const most = 10;

let validator: Validator | undefined;

/** Returns the problems of an invalid policy: the places in it, each with the reason. */
function problemsOfPolicy(value: unknown): readonly string[] {
  validator ??= new Validator(toolPolicySchema as Schema, "2020-12", false);
  const { valid, errors } = validator.validate(value);
  if (valid) return patternProblems(value as ToolPolicy);
  const leaves = errors.filter(({ keyword }) => !around.has(keyword));
  const problems = leaves.map((error) => `${error.instanceLocation.slice(1) || "the policy"}: ${inWords(error)}`);
  return [...new Set(problems)].slice(0, most);
}

/** Messages for keywords whose own message repeats the value, or is a word of JSON Schema. */
const messages: Readonly<Record<string, string>> = {
  __proto__: null as never,
  false: "unknown field",
  minimum: "the number is too small",
  maximum: "the number is too large",
};

/** Puts an error of the validator in words that need no knowledge of JSON Schema. */
function inWords({ keyword, error }: OutputUnit): string {
  const problem = error.replace(/^Instance type/, "its type").replace(/^Instance/, "it");
  return messages[keyword] ?? problem.replace(/\.$/, "");
}

/** Returns the places of expressions that RE2 does not support. */
function patternProblems(policy: ToolPolicy): readonly string[] {
  const problems: string[] = [];
  for (const kind of ["allow", "deny"] as const) {
    for (const [index, rule] of (policy[kind] ?? []).entries()) {
      for (const [path, { pattern }] of Object.entries(rule.arguments ?? {})) {
        if (pattern !== undefined && !isLinear(pattern)) {
          problems.push(`/${kind}/${index}/arguments/${path}/pattern: RE2 cannot express it`);
        }
      }
    }
  }
  return problems.slice(0, most);
}

function isLinear(pattern: string): boolean {
  try {
    compiled(pattern);
    return true;
  } catch {
    return false;
  }
}

/** Keywords that only report that something inside them is invalid. */
const around: ReadonlySet<string> = new Set([
  "properties",
  "additionalProperties",
  "items",
  "$ref",
  "allOf",
  "if",
  "then",
]);

/** Returns the value as a policy. @throws {GuardrailsError} `ERR_GUARDRAILS_POLICY` if it is not valid */
export function checkPolicy(value: unknown, source: string): ToolPolicy {
  const problems = problemsOfPolicy(value);
  if (problems.length === 0) return value as ToolPolicy;
  throw new GuardrailsError(
    "ERR_GUARDRAILS_POLICY",
    `${source} is not a tool policy: ${problems.join("; ")}. See tool-policy.schema.json of this package.`,
  );
}
