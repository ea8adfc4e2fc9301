import type { Invocation, Middleware, Plugin } from "@suite/core";
import type { PiiRedactor } from "../redact/redactor.js";
import type { Places } from "./options.js";

/**
 * Computes if a place is enabled, from the type of the options. A `boolean` that is known only at run time counts as
 * enabled.
 */
type Applies<P extends Places, Place extends keyof Places, Default extends boolean> = P extends {
  readonly [Key in Place]: false;
}
  ? false
  : P extends { readonly [Key in Place]: boolean }
    ? true
    : Default;

type When<Condition extends boolean, Hooks> = Condition extends true ? Hooks : unknown;

/** Computes if one of the places that are off by default is enabled. */
type AppliesAny<P extends Places, Place extends keyof Places> = true extends {
  [Key in Place]: Applies<P, Key, false>;
}[Place]
  ? true
  : false;

/** The plugin with exactly the hooks that its places need, so that an adapter without such a place refuses it. */
export type PiiPlugin<P extends Places = Places> = Pick<Plugin, "name"> &
  When<Applies<P, "telemetry", true>, { readonly redactor: PiiRedactor }> &
  When<
    Applies<P, "input", true> extends false ? AppliesAny<P, "output" | "toolArguments" | "errors"> : true,
    { readonly model: Middleware<Invocation<"model">> }
  > &
  When<AppliesAny<P, "toolArguments" | "toolResults" | "errors">, { readonly tool: Middleware<Invocation<"tool">> }> &
  // If the layer is not enabled, it is optional for an adapter, and so its place is not listed.
  When<Applies<P, "embeddings", false>, { readonly embedding: Middleware<Invocation<"embedding">> }> &
  When<Applies<P, "retrieval", false>, { readonly retrieval: Middleware<Invocation<"retrieval">> }> &
  When<Applies<P, "memory", false>, { readonly memory: Middleware<Invocation<"memory">> }> &
  When<Applies<P, "humanInput", false>, { readonly humanInput: Middleware<Invocation<"humanInput">> }> &
  When<Applies<P, "systemPrompt", false>, { readonly systemPrompt: NonNullable<Plugin["systemPrompt"]> }>;
