import type { HookName, Plugin } from "./plugin.js";

type Optional<P extends Plugin> = P extends { readonly whereOffered: readonly (infer Name)[] } ? Name : never;

/** Hooks of the plugin's `oneOf`: an adapter must serve at least one of them. */
type OneOf<P extends Plugin> = P extends { readonly oneOf: readonly (infer Name extends HookName)[] } ? Name : never;

/** Hooks that an adapter must serve to accept this plugin. */
export type RequiredHooks<P extends Plugin> = Exclude<Present<P>, Optional<P> | OneOf<P>>;

/** Hooks that this type certainly has. Optional ones are checked at run time. */
type Present<P extends Plugin> = { [K in keyof P & HookName]-?: undefined extends P[K] ? never : K }[keyof P &
  HookName];

/** Compiler message for a plugin that requires this hook. */
type NotServed<Hook extends HookName> = `This adapter does not support the hook "${Hook}", which the plugin requires.`;

/** True if none of these hooks is served. */
type LacksAll<Hooks extends HookName, Served extends HookName> = [Hooks] extends [never]
  ? false
  : [Hooks & Served] extends [never]
    ? true
    : false;

/**
 * `P` if `Served` contains all hooks that it requires, otherwise a message that names the missing ones. A list typed
 * only as `Plugin[]` is checked at run time.
 */
export type Accepted<P extends Plugin, Served extends HookName> = Plugin extends P
  ? P
  : RequiredHooks<P> extends Served
    ? LacksAll<OneOf<P>, Served> extends true
      ? NotServed<OneOf<P>>
      : P
    : NotServed<Exclude<RequiredHooks<P>, Served>>;

/** A list of plugins that an adapter with these hooks accepts. */
export type AcceptedPlugins<Ps extends readonly Plugin[], Served extends HookName> = Ps & {
  readonly [I in keyof Ps]: Accepted<Ps[I], Served>;
};
