import {
  type CallId,
  definePlugin,
  type Invocation,
  type Plugin,
  type RuntimeContext,
  type StateStore,
} from "@suite/core";
import type { ApprovalRequest } from "@suite/core/contract";
import { isObject } from "@suite/kit";
import { type Check, callable, common, oneOf } from "@suite/kit/options";
import { memoryStateStore } from "@suite/kit/store";
import { checkOptions, type GuardOptions, invalid } from "./options.js";
import { type CompiledPolicy, compilePolicy, type PolicyCall, type PolicyVerdict } from "./policy/decide.js";
import { checkPolicy, type ToolPolicy } from "./policy/policy.js";
import { type CountUndos, Rates } from "./policy/rates.js";

/** The options of `toolPolicy`. */
export interface ToolPolicyOptions extends GuardOptions {
  /** The policy: an object, or the result of `readToolPolicy` of `@suite/guardrails/node` for a YAML or JSON file. */
  readonly policy: ToolPolicy;
  /** A policy on trial. It is evaluated for each call, and differences are reported. It refuses nothing. */
  readonly candidate?: ToolPolicy;
  /** Returns the role or roles of a run. Needed by policies that name roles. If it throws, the call fails. */
  readonly role?: (runtime: RuntimeContext) => string | readonly string[] | undefined;
  /** The store of rates that span runs, shared by all processes that use it. Default: this process's memory. */
  readonly store?: StateStore;
  /**
   * Behavior if the store fails. `closed` (default): the call fails with the store's error. `open`: rates in the
   * store are not applied, and a `decision` is reported. Everything else fails closed.
   */
  readonly onStoreError?: "closed" | "open";
}

const store: Check = (value) =>
  isObject(value) && typeof value.add === "function" ? undefined : "a StateStore, such as memoryStateStore()";
const policy: Check = (value) => (isObject(value) ? undefined : "a policy object, such as readToolPolicy() returns");

/** The verdict on a call, and the rates that counted it, so that the call can be uncounted. */
interface Judged {
  readonly verdict: PolicyVerdict;
  readonly taken: CountUndos;
}

/** A compiled policy with its counts. */
interface AtWork {
  readonly compiled: CompiledPolicy;
  readonly rates: Rates;
}

/**
 * Allows or refuses tool calls by a policy: by name, arguments, role and rate. The model receives a refusal as the
 * result, and the run continues. If the framework asks for approvals, the final arguments are checked again after
 * changes by a person or an inner layer.
 *
 * @throws {GuardrailsError} `ERR_GUARDRAILS_OPTION`, `ERR_GUARDRAILS_POLICY`
 * @example
 * ```ts
 * toolPolicy({
 *   policy: await readToolPolicy("tools.yaml"),
 *   role: (runtime) => runtime.get(role),
 * });
 * ```
 */
export function toolPolicy(options: ToolPolicyOptions): Plugin {
  const checks = { ...common, policy, candidate: policy, role: callable, store, onStoreError: oneOf("closed", "open") };
  options = checkOptions("toolPolicy", options, checks, ["policy"]);
  const {
    name = "toolPolicy",
    mode = "enforce",
    onStoreError = "closed",
    store: counts = memoryStateStore(),
  } = options;
  const enforced = mode === "enforce";

  const atWork = (policy: ToolPolicy, as: string, limits: boolean): AtWork => {
    const compiled = compilePolicy(checkPolicy(policy, `The ${as} of toolPolicy()`));
    if (compiled.byRole && options.role === undefined) {
      throw invalid(`The ${as} of toolPolicy() uses roles: set the option role.`);
    }
    return { compiled, rates: new Rates(as === "policy" ? name : `${name}.${as}`, compiled.rates, counts, limits) };
  };
  const live = atWork(options.policy, "policy", enforced);
  const candidate = options.candidate && atWork(options.candidate, "candidate", true);

  const rolesOf = (runtime: RuntimeContext): readonly string[] => {
    const roles = options.role?.(runtime) ?? [];
    return typeof roles === "string" ? [roles] : roles;
  };

  const notify = ({ rule }: PolicyVerdict, tool: string, call: CallId | undefined, runtime: RuntimeContext): void =>
    runtime.notify({
      type: "guardrail",
      plugin: name,
      place: "tool_call",
      decision: "block",
      enforced,
      ...(call && { call }),
      reason: "the policy does not allow it",
      details: { tool, rule },
    });

  /** Returns the verdict on a call, including its rates, and the rates that counted it. */
  function judge(
    { compiled, rates }: AtWork,
    policyCall: PolicyCall,
    { runtime, call }: Invocation<"tool">,
  ): Judged | Promise<Judged> {
    const verdict = compiled.decide(policyCall);
    if (!verdict.allowed || compiled.rates.length === 0) return { verdict, taken: [] };
    const counted = rates.take(policyCall, runtime);
    if (!(counted instanceof Promise)) return { verdict: counted.refused ?? verdict, taken: counted.taken };
    return counted.then(
      ({ refused, taken }) => ({ verdict: refused ?? verdict, taken }),
      (error: unknown) => {
        if (rates === candidate?.rates) return { verdict, taken: [] }; // a candidate must not fail a call
        const decision = `fail_${onStoreError}`;
        const reason = "the store failed";
        runtime.notify({ type: "decision", plugin: name, decision, enforced: true, call, place: "store", reason });
        if (onStoreError === "closed") throw error;
        return { verdict, taken: [] };
      },
    );
  }

  return definePlugin({
    name,
    inSubAgents: true,
    whereOffered: ["approval"],
    settings: { mode, onStoreError, default: options.policy.default ?? "deny", candidate: candidate !== undefined },
    async tool(invocation, callNext) {
      const { runtime, call, request } = invocation;
      const tool = request.tool.name;
      const policyCall = { tool, input: request.input, roles: rolesOf(runtime) };
      const judged = judge(live, policyCall, invocation);
      const { verdict, taken } = judged instanceof Promise ? await judged : judged;
      const trying = candidate && judge(candidate, policyCall, invocation);
      const tried = trying instanceof Promise ? await trying : trying;
      if (tried !== undefined && tried.verdict.allowed !== verdict.allowed) {
        const word = ({ allowed }: PolicyVerdict) => (allowed ? "allow" : "deny");
        const live = { live: word(verdict), liveRule: verdict.rule };
        const details = { ...live, candidate: word(tried.verdict), candidateRule: tried.verdict.rule };
        runtime.notify({
          type: "decision",
          plugin: name,
          decision: "policies_differ",
          enforced: false,
          call,
          place: tool,
          details,
        });
      }
      if (!verdict.allowed) {
        notify(verdict, tool, call, runtime);
        if (enforced) {
          if (tried !== undefined) await candidate?.rates.giveBack(tried.taken);
          return invocation.respond({ value: refusal(tool, verdict), isError: true });
        }
      }
      await callNext();
      if (taken.length === 0 && (tried?.taken.length ?? 0) === 0) return;
      invocation.pipe({
        async settle({ status }) {
          if (status !== "suspended") return;
          await live.rates.giveBack(taken);
          await candidate?.rates.giveBack(tried?.taken ?? []);
        },
      });
    },
    approval({ tool, input, call }: ApprovalRequest, runtime) {
      const verdict = live.compiled.decide({ tool: tool.name, input, roles: rolesOf(runtime) });
      if (verdict.allowed || !enforced) return undefined; // the layer reports it if necessary
      notify(verdict, tool.name, call, runtime);
      return { decision: "reject", by: name, message: refusal(tool.name, verdict) };
    },
  } satisfies Plugin as Plugin);
}

const refusal = (tool: string, { message }: PolicyVerdict): string =>
  `This call of ${tool} is not allowed and was not run.${message === undefined ? "" : ` ${message}`}`;
