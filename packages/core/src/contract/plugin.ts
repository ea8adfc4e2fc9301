import type { ApprovalRequest, ApprovalRule, ApprovalVerdict } from "./approval.js";
import type { Invocation } from "./call.js";
import type { Kind, Tool } from "./kinds.js";
import type { Notification } from "./notification.js";
import type { RunSettlement } from "./outcome.js";
import type { Awaitable, Middleware } from "./protocol.js";
import type { Redactor } from "./redactor.js";
import type { RuntimeContext } from "./runtime.js";
import { sharedKey } from "./state-key.js";

/** The onions: one hook per kind. */
export type Hooks = { readonly [K in Kind]?: Middleware<Invocation<K>> };

/** The name of a hook, for which an adapter may or may not have a place. */
export type HookName = Kind | "systemPrompt" | "tools" | "approval" | "observe";

/**
 * A named bundle of hooks. In a list, the first plugin is the outermost, everywhere. An absent hook is never
 * looked at again after registration.
 */
export interface Plugin extends Hooks {
  readonly name: string;
  /** Hooks that may go unserved where a framework has no such place (tracing, audit). All others are required: a guard without them is none. */
  readonly whereOffered?: readonly HookName[];
  /**
   * Hooks that do the same in different places, of which one is needed: only the first that the framework has a place for is
   * called.
   */
  readonly oneOf?: readonly Kind[];
  /** Two of this name in one pipeline would do everything twice: the later one takes the place of the earlier. */
  readonly single?: boolean;
  /**
   * The plugin's hooks, `begin` and `end` are for sub-agents too: in their runs it is outside of their own plugins. For
   * limits and guards that hold for whatever happens within a run. @suite/agent does so.
   */
  readonly inSubAgents?: boolean;
  /**
   * Whether its `model` layer gives attempts up, by `giveUp`: a framework's request is then made with a signal by which it can
   * be cancelled. Left out, a framework's model is asked with the very signal that the caller gave.
   */
  readonly givesUp?: boolean;
  /**
   * The options that may be told of it, as plain data: audit records which were in force. Never a secret, and nothing of a
   * person: of lists and keys that they were given, and not what they hold.
   */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The redactor, bound when plugins are attached; used by telemetry and audit whatever the order of plugins. */
  readonly redactor?: Redactor;
  /**
   * Called before the first hook of a run, of all plugins, in order: what others must find whatever the order of
   * plugins.
   */
  begin?(runtime: RuntimeContext): void;
  /**
   * Called when the run ends and every answer has settled, also after an abort: whatever is still open never will be.
   * The caller waits for it, 30 s at most, or 5 s after an abort.
   *
   * @param settlement how the run ended.
   */
  end?(runtime: RuntimeContext, settlement: RunSettlement): Awaitable<void>;
  /** A pipeline, not an onion: the first plugin transforms first. Once per model call. */
  systemPrompt?(prompt: string, runtime: RuntimeContext): Awaitable<string>;
  /**
   * Returns an earlier answer of the model as the user of the run may read it, with values in place of tokens. Adapters
   * call it for messages that the framework keeps and returns again, such as those in the state of a graph.
   */
  reveal?(text: string, runtime: RuntimeContext): Awaitable<string>;
  /** Tools that the plugin offers. The caller collects them; nothing calls it by itself. */
  tools?(runtime: RuntimeContext): Awaitable<readonly Tool[]>;
  /**
   * The approval that a tool call needs. It is asked for each call, right before its tool runs, with the arguments as all
   * layers have left them, and before that where the framework asks a person itself. Undefined: the call may run. A rule: a
   * person decides first, by the framework's own means. A verdict: it was decided. What it throws fails the call.
   */
  approval?(request: ApprovalRequest, runtime: RuntimeContext): Awaitable<ApprovalRule | ApprovalVerdict | undefined>;
  /** Observes what happens beside the call path: it cannot change anything, and what it throws is swallowed and reported. */
  observe?(notification: Notification, runtime: RuntimeContext): void;
  /**
   * Whether it has a use for `attempt` notifications now, for which account must be kept of every call. Asked once a run.
   * Left out: yes, where it observes.
   */
  observesAttempts?(): boolean;
  /**
   * Erases the data that the plugin keeps of a user. `forgetUser` of core calls it. Returns the number of
   * entries, if it is known. Throws if something is left.
   */
  forgetUser?(user: string): Awaitable<number | undefined>;
  /** Releases what the plugin holds: flushes, closes files. */
  close?(): PromiseLike<void>;
  /**
   * Refused: a layer (`MiddlewareProtocol`) is not a plugin, because it does not name a kind of call. Write
   * `{ name: "guard", model: new Guard() }`.
   */
  readonly process?: never;
}

/** Members that no plugin has, with what the compiler says of them. A literal may have any where its type is inferred. */
type NoOthers<P> = {
  readonly [K in Exclude<keyof P & string, keyof Plugin>]: `A plugin has no member "${K}": nothing would ever call it.`;
};

/**
 * Gives the plugin back with its literal type, so that an adapter can refuse at compile time a hook it cannot honour. A
 * member that is none, such as a hook whose name is misspelt, is refused.
 */
export const definePlugin = <const P extends Plugin>(plugin: P & NoOthers<P>): P => plugin;

/** The name and the settings of one of a run's plugins, and its redactor, by which a guard is known. */
export type PluginInfo = Pick<Plugin, "name" | "settings" | "redactor">;

/** The plugins of a run, in order: their names, and what may be told of their options. Sealed. */
export const pluginsKey = sharedKey<readonly PluginInfo[]>("plugins", () => [], { sealed: true });
