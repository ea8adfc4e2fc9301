import type { HookName, Plugin } from "./plugin.js";

type Optional<P extends Plugin> = P extends { readonly whereOffered: readonly (infer Name)[] } ? Name : never;

/** The hooks of which the plugin needs one. */
type OneOf<P extends Plugin> = P extends { readonly oneOf: readonly (infer Name extends HookName)[] } ? Name : never;

/** The hooks that an adapter must have a place for, if it is to take this plugin. */
export type RequiredHooks<P extends Plugin> = Exclude<Present<P>, Optional<P> | OneOf<P>>;

/** The hooks that this type is sure to have; those it may have are left to the check at run time. */
type Present<P extends Plugin> = { [K in keyof P & HookName]-?: undefined extends P[K] ? never : K }[keyof P &
  HookName];

/** The compiler's message about a plugin that requires this hook. */
type NotServed<Hook extends HookName> = `This adapter has no place for the hook "${Hook}", which the plugin requires.`;

/** Whether, of several hooks, none is served. */
type LacksAll<Hooks extends HookName, Served extends HookName> = [Hooks] extends [never]
  ? false
  : [Hooks & Served] extends [never]
    ? true
    : false;

/** `P` where `Served` covers what it requires, else what is missing. A list typed only as `Plugin[]` is left to the check at run time. */
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
