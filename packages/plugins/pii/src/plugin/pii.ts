import type { HookName, RuntimeContext } from "@suite/core";
import { PiiError } from "../errors.js";
import { Engine } from "../redact/engine.js";
import { refuseUnstreamable } from "../redact/redactor.js";
import { telemetryRedactor } from "../redact/telemetry.js";
import type { Rule, Rules } from "../rules/rule.js";
import { memoryVault } from "../tokens/memory-vault.js";
import { checkGuardOptions, checkOptionNames, checkPlaces, ruleAmong } from "./check-options.js";
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
 * The plugin for personal data (PII): keeps it out of what an agent sends, receives and reports.
 *
 * Applies to the input of models, to what is embedded, and to telemetry unless said otherwise; output, tool arguments, tool results, the
 * system prompt, retrieval, memory, human input and errors each on its own, by `apply`. Only the hooks that these places need exist.
 *
 * @param rules from each type to a strategy, or to a rule with a recogniser of your own. The second form takes one type,
 * and its rule among the options.
 * @throws {PiiError} `ERR_PII_INVALID_RULE`, `ERR_PII_INVALID_PATTERN`, `ERR_PII_NOT_STREAMABLE`
 * @example
 * ```ts
 * const plugin = pii({ email: "redact", credit_card: "mask" }, { apply: { output: true, toolResults: true } });
 * const same = pii("email", { strategy: "redact" });
 * ```
 */
export function pii<const P extends Places = Record<never, never>>(rules: Rules, options?: PiiOptions<P>): PiiPlugin<P>;
export function pii<const P extends Places = Record<never, never>>(
  type: string,
  options: Rule & PiiOptions<P>,
): PiiPlugin<P>;
export function pii(rules: Rules | string, options: PiiOptions | (Rule & PiiOptions) = {}): unknown {
  const one = typeof rules === "string";
  options = checkOptionNames(options, one);
  const all = one ? { [rules]: ruleAmong(options) as Rule } : rules;
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

/** The options of a plugin that may be told, for who records which were in force: no value of a list, no pattern, no key. */
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

/** The runs of a plugin that makes tokens, if it does. A monitor changes nothing, and so makes none. */
function tokenRuns({ engine, enforced }: Guard, options: PiiOptions): TokenRuns | undefined {
  const { vault = memoryVault(), restore = {}, name = "pii" } = options;
  checkRestore(restore);
  return engine.tokens && enforced ? new TokenRuns(vault, engine.tokens, restore, name) : undefined;
}

/**
 * The hooks that nothing but tokens need. Where a framework has no place for one of them, tokens stay: that is no leak.
 *
 * @param guards the hooks that are needed all the same.
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

/** A name that is misspelt would be a promise that is not kept. */
function checkRestore({ output, tools, ...rest }: Restore): void {
  const named = tools === undefined || (Array.isArray(tools) && tools.every((name) => typeof name === "string"));
  if (named && (output === undefined || typeof output === "boolean") && Object.keys(rest).length === 0) return;
  throw new PiiError(
    "ERR_PII_INVALID_RULE",
    'restore has output (true or false) and tools (a list of names): { tools: ["send_mail"] }.',
  );
}
