import { PiiError } from "../errors.js";
import { Engine } from "../redactor/engine.js";
import { refuseUnstreamable } from "../redactor/redactor.js";
import { telemetryRedactor } from "../redactor/telemetry.js";
import type { Rule, Rules } from "../rules/rule.js";
import { Guard } from "./guard.js";
import { humanInputLayer, modelLayer, systemPromptHook, toolLayer } from "./hooks.js";
import type { PiiOptions, Places } from "./options.js";
import type { PiiPlugin } from "./plugin.js";

const placeNames = ["input", "output", "toolArguments", "toolResults", "systemPrompt", "humanInput", "telemetry"];

/**
 * Keeps personal data out of what an agent sends, receives and reports.
 *
 * Applies to the input of models and to telemetry unless said otherwise; output, tool arguments, tool results, the
 * system prompt and human input each on its own, by `apply`. Only the hooks that these places need exist.
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
  const engine = new Engine(typeof rules === "string" ? { [rules]: options as Rule } : rules, options.hashKey);
  const places = options.apply ?? {};
  checkPlaces(places);
  const guard = new Guard(engine, options);
  const { input = true, output, toolArguments, toolResults, systemPrompt, humanInput, telemetry = true } = places;
  if (output || toolArguments) refuseUnstreamable(engine);
  return {
    name: options.name ?? "pii",
    ...(telemetry && { redactor: telemetryRedactor(engine) }),
    ...((input || output || toolArguments) && { model: modelLayer(guard, places) }),
    ...((toolArguments || toolResults) && { tool: toolLayer(guard, places) }),
    ...(humanInput && { humanInput: humanInputLayer(guard) }),
    ...(systemPrompt && { systemPrompt: systemPromptHook(guard) }),
  };
}

/** A place that is misspelt would be a guard that is not there. */
function checkPlaces(places: Places): void {
  for (const [name, on] of Object.entries(places)) {
    if (!placeNames.includes(name)) {
      throw new PiiError(
        "ERR_PII_INVALID_RULE",
        `There is no place "${name}" to apply to. Places are ${placeNames.join(", ")}.`,
      );
    }
    if (on !== undefined && typeof on !== "boolean") {
      throw new PiiError("ERR_PII_INVALID_RULE", `apply.${name} is true or false.`);
    }
  }
}
