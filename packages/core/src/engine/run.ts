import { onAbort } from "../abort.js";
import type { CallId } from "../contract/call.js";
import type { Kind } from "../contract/kinds.js";
import type { Notification } from "../contract/notification.js";
import type { Plugin } from "../contract/plugin.js";
import { redactorsKey } from "../contract/redactor.js";
import type { AgentInfo, Durable, RuntimeContext, StateKey } from "../contract/runtime.js";
import { CoreError } from "../errors.js";
import { cancelled } from "./ending.js";
import type { FlowOwner } from "./flow.js";
import { type Open, OpenWork } from "./open-work.js";

/** The run and the call that code is in, for an `AsyncLocalStorage`, where a runtime has one. */
export interface Current {
  readonly runtime: RuntimeContext;
  readonly call: CallId;
}

/** What core uses of `AsyncLocalStorage<Current>`. */
export interface Ambient {
  run<T>(current: Current, body: () => T): T;
}

/** What a run is begun with. */
export interface RunOptions {
  readonly agent?: AgentInfo | undefined;
  /** Given when a suspended run goes on; new otherwise. */
  readonly runId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly userId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The run of which this one is a tool. */
  readonly parent?: RuntimeContext | undefined;
  /** What `save()` gave before the run was suspended. */
  readonly durable?: Readonly<Record<string, unknown>> | undefined;
  /** An `AsyncLocalStorage`, so that code which is handed nothing finds the run. Left out, nothing depends on it. */
  readonly ambient?: Ambient | undefined;
  /** Plugins of single tools: they begin, observe and redact with the others. */
  readonly toolPlugins?: readonly Plugin[] | undefined;
}

/** One run. Adapters begin and end it; hooks and tools see it as `RuntimeContext`. */
export class Run implements RuntimeContext, FlowOwner {
  readonly runId: string;
  readonly agent: AgentInfo | undefined;
  readonly sessionId: string | undefined;
  readonly userId: string | undefined;
  readonly parent: RuntimeContext | undefined;
  /** @internal */
  readonly ambient: Ambient | undefined;
  readonly #open = new OpenWork();
  readonly #work: Promise<void>[] = [];
  readonly #state = new Map<symbol, unknown>();
  readonly #durable = new Map<string, StateKey<never>>();
  readonly #stored: Readonly<Record<string, unknown>>;
  readonly #plugins: readonly Plugin[];
  /** @internal Plugins that have to be told of attempts which they cannot see. */
  readonly attemptObservers: readonly Plugin[];
  /** Of the run, not the caller's, who does not abort when a consumer stops reading. Made for whoever asks. */
  #controller: AbortController | undefined;
  /** Why nothing may go on. */
  #stopped: { readonly reason: unknown } | undefined;
  /** Lets the caller's signal go. */
  readonly #unfollow: (() => void) | undefined;
  #calls = 0;
  readonly #prefix = randomHex(6);
  #ended: Promise<void> | undefined;
  #gone = false;

  /** @internal Use `PluginStack.begin`. */
  constructor(plugins: readonly Plugin[], options: RunOptions) {
    const { parent, signal } = options;
    this.runId = options.runId ?? randomHex(16);
    this.agent = options.agent;
    this.sessionId = options.sessionId;
    this.userId = options.userId;
    this.parent = parent;
    this.ambient = options.ambient;
    this.#stored = options.durable ?? {};
    this.#plugins = plugins;
    const redactors = plugins.flatMap((plugin) => plugin.redactor ?? []);
    this.#state.set(redactorsKey.id, Object.freeze([...(parent?.get(redactorsKey) ?? []), ...redactors]));
    this.#unfollow = signal && onAbort(signal, () => void this.#stop(signal.reason));
    for (const plugin of plugins) plugin.begin?.(this);
    this.attemptObservers = plugins.filter((plugin) => plugin.observe && plugin.observesAttempts?.() !== false);
  }

  /** Itself, as hooks and tools see it. */
  get runtime(): RuntimeContext {
    return this;
  }
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#stopped !== undefined) this.#controller.abort(this.#stopped.reason);
    }
    return this.#controller.signal;
  }

  /** Nothing may begin in it any more. */
  get ended(): boolean {
    return this.#ended !== undefined;
  }

  get<T>(key: StateKey<T>): T {
    this.#alive();
    if (!this.#state.has(key.id)) this.#state.set(key.id, this.#initial(key));
    return this.#state.get(key.id) as T;
  }

  set<T>(key: StateKey<T>, value: T): void {
    this.#alive();
    if (key.sealed === true || key.id === redactorsKey.id) {
      throw new CoreError("ERR_KEY_SEALED", `${String(key.id)} cannot be replaced during a run.`);
    }
    if (key.durable !== undefined) this.#durable.set(key.durable.name, key as StateKey<never>);
    this.#state.set(key.id, value);
  }

  notify(notification: Notification): void {
    this.tell(notification, this.#plugins);
  }

  /** @internal Tells these alone. After the end nobody can make anything of it: what they keep is gone. */
  tell(notification: Notification, plugins: readonly Plugin[]): void {
    let heard = false;
    for (const plugin of this.#gone ? [] : plugins) {
      if (plugin.observe === undefined) continue;
      const failed = (error: unknown): void => {
        if (notification.type !== "fault") this.fault(`observe of ${plugin.name}`, error);
      };
      try {
        const work: unknown = plugin.observe(notification, this);
        if (work instanceof Promise) work.catch(failed);
        heard = true;
      } catch (error) {
        failed(error);
      }
    }
    if (!heard && notification.type === "fault") {
      // The message may hold personal data: the name and the place are enough to find it.
      console.error(`@suite/core: ${notification.where} threw ${nameOf(notification.error)}`);
    }
  }

  /** Reports what was thrown where nothing may be disturbed. */
  fault(where: string, error: unknown): void {
    this.notify({ type: "fault", where, error });
  }

  /** The state under durable keys, as JSON, for the pending state of a suspended run. */
  save(): Record<string, unknown> {
    const saved: Record<string, unknown> = { ...this.#stored };
    for (const [name, key] of this.#durable) {
      saved[name] = (key.durable as Durable<never>).save(this.#state.get(key.id) as never);
    }
    return saved;
  }

  /**
   * Tells what is still at work to stop, through the signal, and settles what nobody has read, as cancelled. What hears
   * nothing is left behind. The runtime is gone afterwards. Safe to call again; not to be awaited by a `settle` or a
   * layer, for which it waits itself.
   *
   * @param reason the signal's, and that of what is cancelled. By default `ERR_CANCELLED`, which tells all concerned that
   *   nobody wants the answer any more, and that nothing went wrong. Any other reason counts as an abort.
   */
  end(reason?: unknown): Promise<void> {
    this.#ended ??= this.#end(reason);
    return this.#ended;
  }

  /** @internal Keeps account of an answer or a call until it is over; one that comes too late ends at once. */
  adopt(open: Open, call: CallId): void {
    this.#open.set(open, call);
    if (this.#stopped !== undefined) void open.cancel(this.#stopped.reason);
  }

  /** @internal */
  release(open: Open): void {
    this.#open.delete(open);
  }

  /** @internal */
  await(work: Promise<void>): void {
    this.#work.push(work);
  }

  /** @internal Throws if nothing may begin any more: the abort's reason, if the run was aborted. */
  check(): void {
    if (this.#stopped !== undefined) throw this.#stopped.reason;
    this.#alive(this.#ended !== undefined);
  }

  /** @internal A call's identity. */
  identify(kind: Kind, parent: CallId | undefined): CallId {
    return { id: `${this.#prefix}-${++this.#calls}`, kind, parent };
  }

  async #end(reason: unknown): Promise<void> {
    this.#unfollow?.();
    // Nearly always nothing is left open, and an error costs a stack trace.
    while (this.#open.size > 0) await this.#stop(reason ?? cancelled("The run ended."));
    await Promise.all(this.#work);
    for (const plugin of this.#plugins) {
      try {
        await plugin.end?.(this);
      } catch (error) {
        this.fault(`end of ${plugin.name}`, error);
      }
    }
    this.#gone = true;
  }

  /** Nothing begins from here, and what is at work is told. Only the first reason counts. */
  async #stop(because: unknown): Promise<void> {
    this.#stopped ??= { reason: because };
    const { reason } = this.#stopped;
    this.#open.doom(reason);
    this.#controller?.abort(reason);
    await this.#open.cancel(reason);
  }

  #initial<T>(key: StateKey<T>): T {
    const { durable } = key;
    if (durable === undefined) return key.create();
    this.#durable.set(durable.name, key as unknown as StateKey<never>);
    return Object.hasOwn(this.#stored, durable.name) ? durable.load(this.#stored[durable.name]) : key.create();
  }

  #alive(over = this.#gone): void {
    if (over) throw new CoreError("ERR_RUN_ENDED", `Run ${this.runId} has ended.`);
  }
}

const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function randomHex(bytes: number): string {
  let hex = "";
  for (const byte of crypto.getRandomValues(new Uint8Array(bytes))) hex += digits[byte];
  return hex;
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
