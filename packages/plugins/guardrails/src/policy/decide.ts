import { type Conditions, conditionsOf } from "./conditions.js";
import type { ToolPolicy, ToolPolicyRate, ToolPolicyRule } from "./policy.js";

/** A call as a policy sees it. */
export interface PolicyCall {
  readonly tool: string;
  readonly input: unknown;
  readonly roles: readonly string[];
}

/** The verdict of a policy on a call, and the rule that it comes of: `deny[0]`, `allow[2]`, `rates[1]`, `default`. */
export interface PolicyVerdict {
  readonly allowed: boolean;
  readonly rule: string;
  readonly message?: string | undefined;
}

/** A rate, with the calls that it counts. */
export interface CompiledRate extends ToolPolicyRate {
  readonly index: number;
  counts(call: PolicyCall): boolean;
}

/** A policy, compiled once. */
export interface CompiledPolicy {
  readonly rates: readonly CompiledRate[];
  /** Returns true if a rule or a rate names roles. */
  readonly byRole: boolean;
  /** Decides if a call may run, without rates. */
  decide(call: PolicyCall): PolicyVerdict;
}

/** Compiles a policy. */
export function compilePolicy(policy: ToolPolicy): CompiledPolicy {
  const allow = (policy.allow ?? []).map((rule, index) => compileRule(rule, `allow[${index}]`));
  const deny = (policy.deny ?? []).map((rule, index) => compileRule(rule, `deny[${index}]`));
  const defaultVerdict: PolicyVerdict = { allowed: policy.default === "allow", rule: "default" };
  return {
    rates: (policy.rates ?? []).map((rate, index) => ({ ...rate, index, counts: about(rate) })),
    byRole: [policy.allow, policy.deny, policy.rates].some((rules) => rules?.some(({ roles }) => roles !== undefined)),
    decide(call) {
      const refusing = deny.find(({ about, conditions }) => about(call) && conditions?.deny(call.input) !== false);
      if (refusing !== undefined) return { allowed: false, rule: refusing.rule, message: refusing.message };
      const letting = allow.find(({ about, conditions }) => about(call) && conditions?.allow(call.input) !== false);
      if (letting !== undefined) return { allowed: true, rule: letting.rule };
      if (defaultVerdict.allowed) return defaultVerdict;
      // The message of a rule for the same tool fits best.
      return { ...defaultVerdict, message: allow.find(({ about }) => about(call))?.message };
    },
  };
}

interface CompiledRule {
  readonly rule: string;
  readonly message: string | undefined;
  readonly conditions: Conditions | undefined;
  about(call: PolicyCall): boolean;
}

const compileRule = (rule: ToolPolicyRule, name: string): CompiledRule => ({
  rule: name,
  message: rule.message,
  conditions: conditionsOf(rule.arguments),
  about: about(rule),
});

/** Returns true if a rule applies to a call, by its tool and its roles. */
function about({ tools, roles }: Pick<ToolPolicyRule, "tools" | "roles">): (call: PolicyCall) => boolean {
  const names = tools.map(nameTest);
  return (call) =>
    names.some((test) => test(call.tool)) && (roles === undefined || call.roles.some((role) => roles.includes(role)));
}

/** Returns a test for names; `*` matches any characters. Takes time linear in the name for each `*`. */
export function nameTest(pattern: string): (name: string) => boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return (name) => name === pattern;
  return (name) => {
    if (!name.startsWith(first)) return false;
    let at = first.length;
    for (const piece of rest) {
      const found = name.indexOf(piece, at);
      if (found < 0) return false;
      at = found + piece.length;
    }
    return name.length - last.length >= at && name.endsWith(last);
  };
}
