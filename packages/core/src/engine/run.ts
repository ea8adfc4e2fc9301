import type { CallId } from "../contract/call.js";
import type { Kind } from "../contract/kinds.js";
import type { Notification } from "../contract/notification.js";
import type { Plugin } from "../contract/plugin.js";
import { redactorsKey } from "../contract/redactor.js";
import type { AgentInfo, Durable, RuntimeContext, StateKey } from "../contract/runtime.js";
import { CoreError } from "../errors.js";
import { cancelled } from "./ending.js";
import type { Flow, FlowOwner } from "./flow.js";

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
  /** Answers that have not settled, and the calls that they are of. */
  readonly #open = new Map<Flow<never, never>, CallId>();
  readonly #work: Promise<void>[] = [];
  readonly #state = new Map<symbol, unknown>();
  readonly #durable = new Map<string, StateKey<never>>();
  readonly #stored: Readonly<Record<string, unknown>>;
  readonly #plugins: readonly Plugin[];
  readonly #given: AbortSignal | undefined;
  #signal: AbortSignal | undefined;
  #calls = 0;
  readonly #prefix = randomHex(6);
  #ended: Promise<void> | undefined;
  #gone = false;

  /** @internal Use `PluginStack.begin`. */
  constructor(plugins: readonly Plugin[], options: RunOptions) {
    const { parent } = options;
    this.runId = options.runId ?? randomHex(16);
    this.agent = options.agent;
    this.sessionId = options.sessionId;
    this.userId = options.userId;
    this.parent = parent;
    this.ambient = options.ambient;
    this.#stored = options.durable ?? {};
    this.#plugins = plugins;
    this.#given = options.signal;
    const redactors = plugins.flatMap((plugin) => plugin.redactor ?? []);
    this.#state.set(redactorsKey.id, Object.freeze([...(parent?.get(redactorsKey) ?? []), ...redactors]));
    this.#given?.addEventListener("abort", this.#abort, { once: true });
    for (const plugin of plugins) plugin.begin?.(this);
  }

  /** Itself, as hooks and tools see it. */
  get runtime(): RuntimeContext {
    return this;
  }
  get signal(): AbortSignal {
    this.#signal ??= this.#given ?? new AbortController().signal;
    return this.#signal;
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
    let heard = false;
    for (const plugin of this.#plugins) {
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
   * Settles what nobody has read, as cancelled. The runtime is gone afterwards. Safe to call again; not to be awaited
   * by a `settle`, for which it waits itself.
   */
  end(reason: unknown = cancelled("The run ended.")): Promise<void> {
    this.#ended ??= this.#end(reason);
    return this.#ended;
  }

  /** @internal Keeps account of an answer that has not settled; one that comes after the end ends at once. */
  adopt(flow: Flow<never, never>, call: CallId): void {
    this.#open.set(flow, call);
    if (this.#given?.aborted === true) void flow.cancel(this.#given.reason);
    else if (this.#ended !== undefined) void flow.cancel(cancelled("The run ended."));
  }

  /** @internal */
  release(flow: Flow<never, never>): void {
    this.#open.delete(flow);
  }

  /** @internal */
  await(work: Promise<void>): void {
    this.#work.push(work);
  }

  /** @internal Throws the abort's reason, if the run was aborted. */
  check(): void {
    this.#given?.throwIfAborted();
  }

  /** @internal A call's identity. */
  identify(kind: Kind, parent: CallId | undefined): CallId {
    this.#alive();
    return { id: `${this.#prefix}-${++this.#calls}`, kind, parent };
  }

  async #end(reason: unknown): Promise<void> {
    this.#given?.removeEventListener("abort", this.#abort);
    while (this.#open.size > 0) await this.#cancelAll(reason);
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

  /** Consumers are let go at once; then children settle before their parents. */
  async #cancelAll(reason: unknown): Promise<void> {
    const levels: Flow<never, never>[][] = [];
    for (const [flow, call] of this.#open) {
      flow.doom(reason);
      const level = depth(call);
      levels[level] = [flow, ...(levels[level] ?? [])];
    }
    for (const level of levels.reverse()) await Promise.all((level ?? []).map((flow) => flow.cancel(reason)));
  }

  readonly #abort = (): void => {
    void this.#cancelAll(this.#given?.reason);
  };

  #initial<T>(key: StateKey<T>): T {
    const { durable } = key;
    if (durable === undefined) return key.create();
    this.#durable.set(durable.name, key as unknown as StateKey<never>);
    return Object.hasOwn(this.#stored, durable.name) ? durable.load(this.#stored[durable.name]) : key.create();
  }

  #alive(): void {
    if (this.#gone) throw new CoreError("ERR_RUN_ENDED", `Run ${this.runId} has ended.`);
  }
}

const depth = ({ parent }: CallId): number => (parent === undefined ? 0 : 1 + depth(parent));

const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function randomHex(bytes: number): string {
  let hex = "";
  for (const byte of crypto.getRandomValues(new Uint8Array(bytes))) hex += digits[byte];
  return hex;
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
