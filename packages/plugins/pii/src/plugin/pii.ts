import type { HookName } from "@suite/core";
import { Engine } from "../redact/engine.js";
import { refuseUnstreamable } from "../redact/redactor.js";
import { telemetryRedactor } from "../redact/telemetry.js";
import type { Rule, Rules } from "../rules/rule.js";
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
import type { PiiOptions, Places } from "./options.js";
import type { PiiPlugin } from "./plugin.js";
import { settingsOf } from "./settings.js";
import { tokenHooks, tokenRuns } from "./token-hooks.js";

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
  checkOptionNames(options, one);
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
