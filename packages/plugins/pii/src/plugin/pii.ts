import type { HookName, RuntimeContext } from "@suite/core";
import { PiiError } from "../errors.js";
import { Engine } from "../redact/engine.js";
import { refuseUnstreamable } from "../redact/redactor.js";
import { telemetryRedactor } from "../redact/telemetry.js";
import type { Rule, Rules } from "../rules/rule.js";
import { memoryVault } from "../tokens/memory-vault.js";
import { checkGuardOptions, checkOptionNames, checkPlaces, ruleOf } from "./check-options.js";
import { Guard } from "./guard.js";
import {
  agentLayer,
  embeddingLayer,
  humanInputLayer,
  modelLayer,
  retrievalLayer,
  systemPromptHook,
  toolLayer,
} from "./hooks.js";
import { memoryLayer } from "./memory-layer.js";
import type { PiiOptions, Places, Restore } from "./options.js";
import type { PiiPlugin } from "./plugin.js";
import { replyLayer, revealAnswer } from "./restoring.js";
import { TokenRuns } from "./run-tokens.js";

/**
 * The plugin for personal data (PII): keeps it out of the requests, responses and reports of an agent.
 *
 * By default it applies to the input of models, to embeddings, and to telemetry. Output, tool arguments, tool results,
 * the system prompt, retrieval, memory, human input and errors are enabled separately by `apply`. Only the hooks that
 * these places need are installed.
 *
 * @param rules maps each type to a strategy, or to a rule with a custom recogniser. The second form takes one type, and
 *   options that contain the fields of its rule.
 * @throws {PiiError} `ERR_PII_INVALID_RULE`, `ERR_PII_INVALID_PATTERN`, `ERR_PII_NOT_STREAMABLE`
 * @example
 * ```ts
 * const plugin = pii({ email: "redact", credit_card: "mask" }, { apply: { output: true, toolResults: true } });
 * const same = pii("email", { strategy: "redact" });
 * ```
 */
export function pii<const P extends Places = Record<never, never>>(rules: Rules, options?: PiiOptions<P>): PiiPlugin<P>;
/** Creates the plugin for one type. The options contain the fields of its rule. */
export function pii<const P extends Places = Record<never, never>>(
  type: string,
  options: Rule & PiiOptions<P>,
): PiiPlugin<P>;
export function pii(rules: Rules | string, options: PiiOptions | (Rule & PiiOptions) = {}): unknown {
  const one = typeof rules === "string";
  options = checkOptionNames(options, one);
  const all = one ? { [rules]: ruleOf(options) as Rule } : rules;
  const engine = Engine.of(all, options.hashKey);
  const places = options.apply ?? {};
  checkPlaces(places);
  checkGuardOptions(options);
  const guard = new Guard(engine, options);
  const {
    input = true,
    output,
    toolArguments,
    toolResults,
    systemPrompt,
    embeddings = input,
    retrieval,
    memory,
    humanInput,
    errors,
    telemetry = true,
  } = places;
  if (output || toolArguments) refuseUnstreamable(engine);
  const runs = tokenRuns(guard, options);
  const guards = {
    model: input || output === true || toolArguments === true || errors === true,
    tool: toolArguments || toolResults || errors || false,
  };
  const tokens = runs && tokenHooks(runs, guards);
  const whereOffered = new Set<HookName>(tokens?.whereOffered);
  if (errors) whereOffered.add("agent");
  if (embeddings && places.embeddings !== true) whereOffered.add("embedding");
  return {
    name: options.name ?? "pii",
    settings: settingsOf(all, options),
    ...(telemetry && { redactor: telemetryRedactor(engine) }),
    ...((guards.model || runs) && { model: modelLayer(guard, places, runs) }),
    ...((guards.tool || runs?.namesTools) && { tool: toolLayer(guard, places, runs) }),
    ...(humanInput && { humanInput: humanInputLayer(guard, runs) }),
    ...(systemPrompt && { systemPrompt: systemPromptHook(guard, runs) }),
    ...(embeddings && { embedding: embeddingLayer(guard, runs) }),
    ...(retrieval && { retrieval: retrievalLayer(guard, runs) }),
    ...(memory && { memory: memoryLayer(guard, runs) }),
    ...tokens,
    ...(errors && { agent: agentLayer(guard, runs, tokens?.agent) }),
    ...(whereOffered.size > 0 && { whereOffered: [...whereOffered] }),
  };
}

/** Returns the settings that may be recorded for audits: no list values, patterns or keys. */
function settingsOf(rules: Rules, options: PiiOptions): Readonly<Record<string, unknown>> {
  const { mode = "enforce", onError = "closed", onBlock = "call", onUnscannable = "allow", apply, restore } = options;
  return {
    rules: Object.fromEntries(Object.entries(rules).map(([type, rule]) => [type, ruleSettings(rule)])),
    mode,
    onError,
    onBlock,
    onUnscannable,
    ...(apply && { apply }),
    ...(restore && { restore }),
    ...(options.vault && { vault: "own" }),
  };
}

function ruleSettings(rule: Rules[string]): unknown {
  const { strategy, recognizer, allow, deny, threshold, regions, onRecognizerError } = fullRule(rule);
  return {
    strategy: typeof strategy === "function" ? "own" : strategy,
    ...(recognizer && { recognizer: "own" }),
    ...(allow && { allow: allow.length }),
    ...(deny && { deny: deny.length }),
    ...(threshold !== undefined && { threshold }),
    ...(regions && { regions }),
    ...(onRecognizerError && { onRecognizerError }),
  };
}

const fullRule = (rule: Rules[string]): Rule => (typeof rule === "object" ? rule : { strategy: rule });

/** Returns the token runs of a plugin that uses tokens. In monitor mode nothing is replaced, so there are none. */
function tokenRuns({ engine, enforced }: Guard, options: PiiOptions): TokenRuns | undefined {
  const { vault = memoryVault(), restore = {}, name = "pii" } = options;
  checkRestore(restore);
  return engine.tokens && enforced ? new TokenRuns(vault, engine.tokens, restore, name) : undefined;
}

/**
 * Returns the hooks that only tokens need. If a framework does not support one of them, tokens are not restored there,
 * which leaks nothing.
 *
 * @param guards the hooks that are needed in any case
 */
function tokenHooks(runs: TokenRuns, guards: { readonly model: boolean; readonly tool: boolean }) {
  const whereOffered: readonly HookName[] = [
    "agent",
    ...(guards.model ? [] : (["model"] as const)),
    ...(guards.tool || !runs.namesTools ? [] : (["tool"] as const)),
  ];
  return {
    whereOffered,
    begin: (runtime: RuntimeContext) => void runs.of(runtime),
    agent: replyLayer(runs),
    reveal: (text: string, runtime: RuntimeContext) => revealAnswer(runs, runs.of(runtime), text),
    forgetUser: (user: string) => runs.forgetUser(user),
    end: (runtime: RuntimeContext) => runs.of(runtime).end(),
  };
}

/** A misspelt option would silently disable a protection. */
function checkRestore({ output, tools, ...rest }: Restore): void {
  const named = tools === undefined || (Array.isArray(tools) && tools.every((name) => typeof name === "string"));
  if (named && (output === undefined || typeof output === "boolean") && Object.keys(rest).length === 0) return;
  throw new PiiError(
    "ERR_PII_INVALID_RULE",
    'restore has output (true or false) and tools (a list of names): { tools: ["send_mail"] }.',
  );
}
