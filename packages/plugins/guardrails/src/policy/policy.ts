import { type Schema, Validator } from "@cfworker/json-schema";
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
   * An expression, which RE2 runs in linear time: no look-around, no back-references. Under `allow` it has to match the
   * whole text, under `deny` any part of it. /
   */
  readonly pattern?: string;
  /** True if, under `allow`, a call without the argument also meets the condition. */
  readonly optional?: boolean;
}

/** A rule of a policy: the calls that it is about. */
export interface ToolPolicyRule {
  /** Names of tools; `*` matches any characters. */
  readonly tools: readonly string[];
  /** The roles that it holds for. Left out: all, and calls without a role. */
  readonly roles?: readonly string[];
  /**
   * Conditions by the path of the argument: `amount`, `customer.country`, `items[].price` (of each entry). All have to
   * be met.
   */
  readonly arguments?: Readonly<Record<string, ArgumentCondition>>;
  /** The message for the model if this rule refuses a call. */
  readonly message?: string;
}

/** A rate of a policy: so many calls of some tools, together. */
export interface ToolPolicyRate extends Pick<ToolPolicyRule, "tools" | "roles" | "message"> {
  readonly calls: number;
  /** `run`: with its sub-agents. `session`, `user`: by their ids; `all`: everybody together. */
  readonly per: "run" | "session" | "user" | "all";
  /** The length of a window of the clock, for all but `run`. Default: a day. */
  readonly windowSeconds?: number;
}

/**
 * A policy for tool calls, as data. A call that a `deny` rule matches is refused, whatever else does; one that no
 * `allow` rule matches is treated by `default`; one that a rate has no room for is refused. /
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

/**
 * The problems of a value that is meant to be a policy: places in it, and the words of the schema that do not hold
 * there.
 */
function problemsOfPolicy(value: unknown): readonly string[] {
  validator ??= new Validator(toolPolicySchema as Schema, "2020-12", false);
  const { valid, errors } = validator.validate(value);
  if (valid) return patternProblems(value as ToolPolicy);
  const leaves = errors.filter(({ keyword }) => !around.has(keyword));
  const told = leaves.map(({ instanceLocation, keyword }) => `${instanceLocation.slice(1) || "the whole"}: ${keyword}`);
  return [...new Set(told)].slice(0, most);
}

/** The expressions that RE2 cannot express, by their places. */
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
const around: ReadonlySet<string> = new Set(["properties", "items", "$ref", "allOf", "if", "then"]);

/** The value as the policy that it is. @throws {GuardrailsError} `ERR_GUARDRAILS_POLICY` */
export function checkPolicy(value: unknown, where: string): ToolPolicy {
  const problems = problemsOfPolicy(value);
  if (problems.length === 0) return value as ToolPolicy;
  throw new GuardrailsError(
    "ERR_GUARDRAILS_POLICY",
    `${where} is no tool policy: ${problems.join("; ")}. tool-policy.schema.json of this package says what one is.`,
  );
}
