import type { AcceptedPlugins } from "../contract/adapter.js";
import type { WithPluginsOptions } from "../contract/identity.js";
import type { HookName, Plugin } from "../contract/plugin.js";
import { CoreError } from "../errors.js";
import { type Identify, identifyOf } from "./identity.js";
import { checkPlugins, hookNames, joinPlugins } from "./plugins.js";
import { PluginStack } from "./stack.js";

/** The definition of an adapter, written by its author. */
export interface AdapterDefinition<Target extends object, Served extends HookName> {
  /** The package name, for messages. */
  readonly name: string;
  /** The hooks that the framework supports. */
  readonly serves: readonly Served[];
  /**
   * Throws the adapter's error if the framework's plugins cannot be attached to a target. Called also if there are no
   * plugins. The types do not check a target from JavaScript: it may be any object.
   */
  checkTarget?(target: object): void;
  /** Returns the wrapped target, in the framework's types. It must not change the target itself. */
  attach(target: Target, stack: PluginStack): Target;
}

/** The one function of every adapter. */
export interface WithPlugins<Target extends object, Served extends HookName> {
  /**
   * Wraps the target. Without plugins it checks the target and returns it. Wrapping a wrapped target joins the plugins,
   * so that none runs twice. A later option `run` replaces an earlier one.
   *
   * @throws CoreError `ERR_HOOK_NOT_SERVED` if a plugin requires a hook that this framework does not support,
   * `ERR_INVALID_OPTION`.
   */
  <T extends Target, const Ps extends readonly Plugin[]>(
    target: T,
    plugins: AcceptedPlugins<Ps, Served>,
    options?: WithPluginsOptions,
  ): T;
  /** The hooks that the framework supports. */
  readonly serves: ReadonlySet<HookName>;
  /**
   * Returns the plugins' hooks that the framework does not support, as `plugin.hook`. `withPlugins` throws for required
   * ones and ignores optional ones.
   *
   * @example
   * ```ts
   * withPlugins.unserved([tracing(), audit()]); // ["tracing.compressContext"]
   * ```
   */
  unserved(plugins: readonly Plugin[]): readonly string[];
}

interface Mark {
  readonly target: object;
  readonly plugins: readonly Plugin[];
  readonly identify?: Identify | undefined;
}

/** Shared by all copies of this package, to recognize a target that another copy has wrapped. */
const registry = Symbol.for("@suite/core/attached");
const shared = globalThis as { [registry]?: WeakMap<object, Mark> };
shared[registry] ??= new WeakMap();
const marks = shared[registry];

/**
 * Creates an adapter's `withPlugins`. It checks the plugins' required hooks against the framework's, and joins plugins
 * that are already attached. Unsupported optional hooks are ignored; `withPlugins.unserved` lists them.
 */
export function defineAdapter<Target extends object, const Served extends HookName>(
  definition: AdapterDefinition<Target, Served>,
): WithPlugins<Target, Served> {
  const serves: ReadonlySet<HookName> = new Set(definition.serves);
  const withPlugins = <T extends Target>(target: T, plugins: readonly Plugin[], options?: WithPluginsOptions): T => {
    checkPlugins(plugins);
    const before = marks.get(target);
    const identify = identifyOf(options) ?? before?.identify;
    const all = joinPlugins(before?.plugins ?? [], plugins);
    for (const plugin of all) checkServed(plugin, serves, definition.name);
    for (const plugin of plugins) if (doesNothing(plugin, serves)) warnOf(plugin, definition.name);
    const original = (before?.target ?? target) as T;
    definition.checkTarget?.(Object(original));
    if (all.length === 0) return original;
    const wrapped = definition.attach(original, new PluginStack(all, serves, undefined, identify)) as T;
    marks.set(wrapped, { target: original, plugins: all, identify });
    return wrapped;
  };
  const unserved = (plugins: readonly Plugin[]): readonly string[] => {
    checkPlugins(plugins);
    return plugins.flatMap((plugin) => unservedHooks(plugin, serves).map((hook) => `${plugin.name}.${hook}`));
  };
  return Object.assign(withPlugins, { serves, unserved }) as WithPlugins<Target, Served>;
}

const unservedHooks = (plugin: Plugin, serves: ReadonlySet<HookName>): readonly HookName[] =>
  hookNames.filter((name) => plugin[name] !== undefined && !serves.has(name) && !hasOther(plugin, name, serves));

/** True if a plugin has another, served hook that does the same. */
function hasOther(plugin: Plugin, name: HookName, serves: ReadonlySet<HookName>): boolean {
  const same: readonly HookName[] = plugin.oneOf ?? [];
  return same.includes(name) && same.some((one) => plugin[one] !== undefined && serves.has(one));
}

/** True if an adapter calls no member of a plugin. */
function doesNothing(plugin: Plugin, serves: ReadonlySet<HookName>): boolean {
  const hooks = hookNames.filter((hook) => plugin[hook] !== undefined);
  if (hooks.length === 0 || hooks.some((hook) => serves.has(hook))) return false;
  return plugin.redactor === undefined && plugin.begin === undefined && plugin.end === undefined;
}

const warnedOf = new WeakSet<Plugin>();

/** Warns once about a plugin that does nothing with an adapter. It may be a guard. */
function warnOf(plugin: Plugin, adapter: string): void {
  if (warnedOf.has(plugin)) return;
  warnedOf.add(plugin);
  const hooks = hookNames.filter((hook) => plugin[hook] !== undefined).join(", ");
  console.warn(
    `${adapter} does not support any hook of ${plugin.name} (${hooks}), so the plugin has no effect. Attach it to an adapter that supports one.`,
  );
}

/**
 * Checks that all hooks required by a plugin are served.
 *
 * @throws CoreError `ERR_HOOK_NOT_SERVED`, with the change to make.
 */
function checkServed(plugin: Plugin, serves: ReadonlySet<HookName>, adapter: string): void {
  const { name, whereOffered = [] } = plugin;
  const required = unservedHooks(plugin, serves).filter((hook) => !whereOffered.includes(hook));
  if (required.length === 0) return;
  const optional = [...whereOffered, ...required].map((hook) => JSON.stringify(hook)).join(", ");
  throw new CoreError(
    "ERR_HOOK_NOT_SERVED",
    `${adapter} does not support ${required.join(", ")}, which plugin ${name} requires. It supports ${[...serves].join(", ")}. ` +
      `Change the options of ${name} so that it does not need these hooks. If the plugin may skip them here, attach ` +
      `{ ...plugin, whereOffered: [${optional}] } in its place.`,
  );
}
