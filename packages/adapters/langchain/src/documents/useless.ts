import type { Plugin } from "@suite/core";
import { defineAdapter, type PluginStack } from "@suite/core/adapter";

/** The checks of `withPlugins` for targets with one kind of call. */
const checks = {
  embedding: checkOf("embeddings", "embedding"),
  retrieval: checkOf("a retriever", "retrieval"),
} as const;

function checkOf(what: string, kind: "embedding" | "retrieval") {
  return defineAdapter({
    name: `@suite/langchain for ${what}`,
    serves: [kind, "observe"],
    attach: (target: object) => target,
  });
}

/**
 * Throws if a plugin has no hook of this kind and requires another one, because it would guard nothing here.
 *
 * @throws CoreError `ERR_HOOK_NOT_SERVED`
 */
export function refuseUseless(kind: keyof typeof checks, { plugins }: PluginStack): void {
  checks[kind]({}, plugins.filter((plugin) => plugin[kind] === undefined) as readonly Plugin[]);
}
