import type { ApprovalRequest, ApprovalRule, ApprovalVerdict } from "./approval.js";
import type { Invocation } from "./call.js";
import type { Kind, Tool } from "./kinds.js";
import type { Notification } from "./notification.js";
import type { RunSettlement } from "./outcome.js";
import type { Awaitable, Middleware } from "./protocol.js";
import type { Redactor } from "./redactor.js";
import type { RuntimeContext } from "./runtime.js";
import { sharedKey } from "./state-key.js";

/** One layer per kind of call. Most plugins need `model` and `tool` alone. */
export type Hooks = { readonly [K in Kind]?: Middleware<Invocation<K>> };

/** The name of a hook. An adapter may serve it or not. */
export type HookName = Kind | "systemPrompt" | "tools" | "approval" | "observe";

/**
 * A named bundle of hooks. The first plugin of a list is always the outermost. An absent hook costs nothing after
 * registration. Begin with `name`, `model`, `tool` and `observe`. All other members are optional and advanced.
 */
export interface Plugin extends Hooks {
  /** The name on spans, in records and in messages. */
  readonly name: string;
  /** Receives events outside the call path. It cannot change anything. Its errors are reported and not thrown. */
  observe?(notification: Notification, runtime: RuntimeContext): void;

  // Advanced: a plugin that changes nothing outside of its layers needs none of these.

  /**
   * Called for every plugin, in order, before the first hook of a run. Sets values that other plugins need regardless
   * of order.
   */
  begin?(runtime: RuntimeContext): void;
  /**
   * Called when the run has ended and every answer has settled, also after an abort. An answer that is still open then
   * never settles. The caller waits for it for at most 30 s, or 5 s after an abort.
   *
   * @param settlement how the run ended.
   */
  end?(runtime: RuntimeContext, settlement: RunSettlement): Awaitable<void>;
  /** Releases the plugin's resources: flushes, closes files. */
  close?(): PromiseLike<void>;
  /**
   * Transforms the system prompt, once per model call. A pipeline and not an onion: the first plugin transforms first.
   */
  systemPrompt?(prompt: string, runtime: RuntimeContext): Awaitable<string>;
  /** Returns tools that the plugin offers to the model. Called by adapters that serve this hook. */
  tools?(runtime: RuntimeContext): Awaitable<readonly Tool[]>;
  /**
   * Decides if a tool call needs approval. Called for each call right before its tool runs, with the arguments after
   * all layers. Also called earlier if the framework itself asks a person. `undefined`: the call may run. A rule: a
   * person decides first, through the framework. A verdict: the decision is made. An error fails the call.
   */
  approval?(request: ApprovalRequest, runtime: RuntimeContext): Awaitable<ApprovalRule | ApprovalVerdict | undefined>;
  /**
   * Returns an earlier answer of the model with the original values in place of tokens, as the run's user may read it.
   * Adapters call it for messages that the framework stores and returns again, such as those in a graph's state.
   */
  reveal?(text: string, runtime: RuntimeContext): Awaitable<string>;
  /**
   * The redactor. It is bound when plugins are attached, and telemetry and audit use it regardless of the order of
   * plugins.
   */
  readonly redactor?: Redactor;
  /**
   * Erases the plugin's data of a user. Called by `forgetUser` of core. Returns the number of entries, if known. Throws
   * if data is left.
   */
  forgetUser?(user: string): Awaitable<number | undefined>;
  /**
   * Options in plain data, recorded by audit. Never a secret or a person's data. For lists and keys, record only that
   * they were set, not their content.
   */
  readonly settings?: Readonly<Record<string, unknown>>;
  /**
   * Hooks that may stay unused if a framework does not support them (tracing, audit). All others are required, since a
   * guard that is never called does not protect.
   */
  readonly whereOffered?: readonly HookName[];
  /**
   * Hooks that do the same in different places. Only the first that the framework supports is called. One is required.
   */
  readonly oneOf?: readonly Kind[];
  /** If true, and a list contains two plugins with this name, only the later one is used. */
  readonly single?: boolean;
  /**
   * If true, the plugin's hooks, `begin` and `end` also apply to sub-agents, outside the sub-agents' plugins. For
   * limits and guards of the whole run. Supported by @suite/agent.
   */
  readonly inSubAgents?: boolean;
  /**
   * True if the plugin's `model` layer gives up attempts with `giveUp`. The framework's request then gets a signal that
   * can cancel it. Default: it gets the caller's signal.
   */
  readonly givesUp?: boolean;
  /**
   * Rejected: a layer (`MiddlewareProtocol`) is not a plugin, because it does not name a kind of call. Write
   * `{ name: "guard", model: new Guard() }`.
   */
  readonly process?: never;
}

/**
 * Rejects unknown members with a compiler message. Needed because a literal with an inferred type may have extra
 * members.
 */
type NoOthers<P> = {
  readonly [K in Exclude<keyof P & string, keyof Plugin>]: `A plugin has no member "${K}": it would never be called.`;
};

/**
 * Returns the plugin with its literal type, so that an adapter can reject an unsupported hook at compile time. Unknown
 * members, such as a misspelt hook, are rejected.
 */
export const definePlugin = <const P extends Plugin>(plugin: P & NoOthers<P>): P => plugin;

/** The name, settings and redactor of one of a run's plugins. A plugin with a redactor is a guard. */
export type PluginInfo = Pick<Plugin, "name" | "settings" | "redactor">;

/** The plugins of a run, in order, with their names and recorded options. Sealed. */
export const pluginsKey = sharedKey<readonly PluginInfo[]>("plugins", () => [], { sealed: true });
