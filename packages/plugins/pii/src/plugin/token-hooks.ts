import type { HookName, RuntimeContext } from "@suite/core";
import { PiiError } from "../errors.js";
import { memoryVault } from "../tokens/memory-vault.js";
import type { Guard } from "./guard.js";
import type { PiiOptions, Restore } from "./options.js";
import { replyLayer } from "./restoring.js";
import { TokenRuns } from "./run-tokens.js";

/** The runs of a plugin that makes tokens, if it does. A monitor changes nothing, and so makes none. */
export function tokenRuns({ engine, enforced }: Guard, options: PiiOptions): TokenRuns | undefined {
  const { vault = memoryVault(), restore = {}, name = "pii" } = options;
  checkRestore(restore);
  return engine.tokens && enforced ? new TokenRuns(vault, engine.tokens, restore, name) : undefined;
}

/**
 * The hooks that nothing but tokens need. Where a framework has no place for one of them, tokens stay: that is no leak.
 *
 * @param guards the hooks that are needed all the same.
 */
export function tokenHooks(runs: TokenRuns, guards: { readonly model: boolean; readonly tool: boolean }) {
  const whereOffered: readonly HookName[] = [
    "agent",
    ...(guards.model ? [] : (["model"] as const)),
    ...(guards.tool || !runs.namesTools ? [] : (["tool"] as const)),
  ];
  return {
    whereOffered,
    begin: (runtime: RuntimeContext) => void runs.of(runtime),
    agent: replyLayer(runs),
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
