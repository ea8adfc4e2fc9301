import { onAbort } from "../abort.js";
import type { CallId, Kind } from "../contract/kinds.js";
import type { Notification } from "../contract/notification.js";
import type { RunSettlement } from "../contract/outcome.js";
import { type Plugin, pluginsKey } from "../contract/plugin.js";
import { type Redactor, redactorsKey } from "../contract/redactor.js";
import type { AgentInfo, Ask, CallMemory, RunTools, RuntimeContext } from "../contract/runtime.js";
import type { StateKey } from "../contract/state-key.js";
import type { Values } from "../contract/values.js";
import { CoreError } from "../errors.js";
import { inBackground } from "./background.js";
import { cancelled } from "./ending.js";
import type { FlowOwner } from "./flow-owner.js";
import { randomHex } from "./ids.js";
import { memoryThrough, type RunLayers } from "./memory.js";
import { type Open, OpenWork } from "./open-work.js";
import type { Ambient, RunOptions } from "./run-options.js";
import { beginPlugins, boundRedactors, endOfRun, endPlugins, notifyPlugins, type RootCall } from "./run-plugins.js";
import { RunState } from "./state.js";

const none: readonly never[] = Object.freeze([]);
const done = Promise.resolve();

/**
 * One run. Adapters begin and end it; hooks and tools see it as `RuntimeContext`. Members that only some runs need are
 * created on first use, so that a run around a direct call of the framework costs little more than its object.
 */
export class Run implements RuntimeContext, FlowOwner {
  readonly agent: AgentInfo | undefined;
  readonly sessionId: string | undefined;
  readonly userId: string | undefined;
  readonly tenantId: string | undefined;
  readonly parent: RuntimeContext | undefined;
  /** Calls a model. Set by adapters that know one (`askThrough`), as `tools` by those whose tools may change. */
  ask: Ask | undefined;
  tools: RunTools | undefined;
  /** True if the adapter supports the `client` of a model request. */
  takesClients = false;
  /** True if the adapter's innermost call may be entered again while it is running. */
  takesBranches = false;
  /** @internal */
  readonly ambient: Ambient | undefined;
  /** @internal The object that began the run, to distinguish runs of different owners. */
  owner: unknown;
  readonly #layers: RunLayers<Run>;
  #memory: CallMemory | undefined;
  /** @internal True if code inside the run may look for plugin data in it. */
  readonly carries: boolean;
  #runId: string | undefined;
  #open: OpenWork | undefined;
  #work: Promise<void>[] | undefined;
  /** The outermost call: the agent's, if there is one, or else the last one. */
  #root: RootCall | undefined;
  /** The end of the run that the adapter reported. */
  #reported: { readonly error: unknown } | { readonly by: unknown } | undefined;
  #state: RunState | undefined;
  readonly #stored: Readonly<Record<string, unknown>> | undefined;
  readonly #redactors: readonly Redactor[];
  #plugins: readonly Plugin[];
  #observers: readonly Plugin[] | undefined;
  /** The run's controller. The caller's signal is another one: a consumer that stops reading does not abort it. */
  #controller: AbortController | undefined;
  /** Present when the run was stopped: the reason. */
  #stopped: { readonly reason: unknown } | undefined;
  readonly #notifiesAbort: boolean;
  /** @internal The caller's signal. */
  readonly caller: AbortSignal | undefined;
  /** Removes the listener on the caller's signal. */
  #unfollow: (() => void) | undefined;
  #calls = 0;
  #prefix: string | undefined;
  #ended = false;
  #ending: Promise<void> | undefined;
  #closed = false;

  /** @internal Use `PluginStack.begin`. @param plugins includes the plugins of single tools */
  constructor(
    layers: RunLayers<Run>,
    options: RunOptions,
    plugins: readonly Plugin[] = layers.plugins,
    redactors = boundRedactors(plugins, options.parent),
  ) {
    this.#layers = layers;
    this.#runId = options.runId;
    this.agent = options.agent;
    this.sessionId = options.sessionId;
    this.userId = options.userId;
    this.tenantId = options.tenantId;
    this.parent = options.parent;
    this.ambient = options.ambient;
    this.#notifiesAbort = options.onAbort === "tell";
    this.caller = options.signal;
    this.#stored = options.durable;
    this.#plugins = plugins;
    this.#redactors = redactors;
    for (const [key, value] of options.values ?? none) this.set(key, value);
    this.carries = plugins.some(({ begin, end, redactor }) => (begin ?? end ?? redactor) !== undefined);
    if (this.carries) {
      beginPlugins(plugins, this, (begun, error) => {
        this.#plugins = begun;
        this.failed(error);
        void this.finish();
      });
    }
  }

  /** @internal Plugins with `observe`, which get `attempt` notifications. */
  get observers(): readonly Plugin[] {
    this.#observers ??= this.#plugins.filter((plugin) => plugin.observe !== undefined);
    return this.#observers;
  }
  get runId(): string {
    this.#runId ??= randomHex(16);
    return this.#runId;
  }
  get memory(): CallMemory {
    this.#memory ??= memoryThrough(this.#layers, this);
    return this.#memory;
  }
  background(work: Parameters<RuntimeContext["background"]>[0]): Promise<void> {
    this.#alive();
    const { agent, sessionId, userId, tenantId, ambient } = this;
    const identity = { agent, sessionId, userId, tenantId, ambient };
    const begin = () => new Run(this.#layers, identity, this.#plugins, this.#redactors);
    return inBackground(this, begin, work, this.#layers.background);
  }
  /** The run as hooks and tools see it. */
  get runtime(): RuntimeContext {
    return this;
  }
  get signal(): AbortSignal {
    this.#follow();
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      const stopped = this.#stopped ?? this.abort;
      if (stopped !== undefined) this.#controller.abort(stopped.reason);
    }
    return this.#controller.signal;
  }
  /** True if the run has ended: no new work may begin. */
  get ended(): boolean {
    return this.#ended;
  }
  get<T>(key: StateKey<T>): T {
    this.#alive();
    if (key.id === redactorsKey.id) return this.#redactors as T;
    if (key.id === pluginsKey.id) return this.#plugins as T;
    if (key.ofWholeTree === true && this.parent !== undefined) return this.parent.get(key);
    this.#state ??= new RunState(this.#stored);
    return this.#state.get(key);
  }
  set<T>(key: StateKey<T>, value: T): void {
    this.#alive();
    if (key.sealed === true || key.id === redactorsKey.id || key.id === pluginsKey.id) {
      throw new CoreError("ERR_KEY_SEALED", `${String(key.id)} cannot be replaced during a run.`);
    }
    if (key.ofWholeTree === true && this.parent !== undefined) {
      this.parent.set(key, value);
      return;
    }
    this.#state ??= new RunState(this.#stored);
    this.#state.set(key, value);
  }
  notify(notification: Notification): void {
    this.tell(notification, this.#plugins);
  }
  /** @internal Calls `observe` of these plugins only. Does nothing after the end, since their state is gone. */
  tell(notification: Notification, plugins: readonly Plugin[]): void {
    notifyPlugins(notification, this.#closed ? none : plugins, this);
  }
  /** Plugins that also apply to sub-agents. */
  get passedOn(): readonly Plugin[] {
    return this.#layers.plugins.filter(({ inSubAgents }) => inSubAgents === true);
  }
  /** Values that plugins set for the result. Readable after the end. */
  get left(): Values | undefined {
    return this.#state?.left;
  }
  /** Reports an error from a place that must not disturb the run. */
  fault(where: string, error: unknown): void {
    this.notify({ type: "fault", where, error });
  }
  /** Returns the state under durable keys as JSON, for the pending state of a suspended run. */
  save(): Record<string, unknown> {
    return this.#state?.save() ?? { ...this.#stored };
  }
  /**
   * Ends the run: aborts running work through the signal, and settles unread answers as cancelled. Work that ignores
   * the signal is abandoned. The runtime is unusable afterwards. It may be called again. A `settle` or a layer must not
   * await it, since it waits for them.
   *
   * @param reason the reason of the signal and of cancelled work. Default: `ERR_CANCELLED`, which means that the answer
   * is no longer needed and nothing failed. Any other reason counts as an abort.
   */
  end(reason?: unknown): Promise<void> {
    return this.finish(reason) ?? done;
  }
  /** Reports that the run failed, if its calls do not show it: before the first or after the last one. */
  failed(error: unknown): void {
    this.#reported = { error };
  }
  /** Reports that a layer ended the run on purpose with an answer. `undefined` takes it back. */
  terminated(by: unknown): void {
    this.#reported = by === undefined ? undefined : { by };
  }
  /** Ends the run like `end`. Returns `undefined` if no work is open and no plugin's `end` returns a promise. */
  finish(reason?: unknown): Promise<void> | undefined {
    if (!this.#ended) {
      this.#ended = true;
      this.#unfollow?.();
      const waits = this.#work !== undefined || (this.#open !== undefined && this.#open.size > 0);
      this.#ending = waits ? this.#finish(reason) : this.#endPlugins(reason);
    }
    return this.#closed ? undefined : this.#ending;
  }
  /** @internal Tracks an answer or a call until it ends. If the run was stopped, it is cancelled at once. */
  adopt(open: Open, call: CallId): void {
    this.#open ??= new OpenWork();
    this.#open.set(open, call);
    if (this.#stopped !== undefined) void open.cancel(this.#stopped.reason);
  }
  /** @internal */
  release(open: Open): void {
    this.#open?.delete(open);
  }
  /** @internal */
  await(work: Promise<void>): void {
    this.#work ??= [];
    this.#work.push(work);
  }
  /** @internal Throws if no new work may begin: the abort's reason, if the run was aborted. */
  check(): void {
    this.#follow();
    if (this.#stopped !== undefined) throw this.#stopped.reason;
    this.#alive(this.#ended);
  }
  /** @internal The abort that answers of the run have received and that did not end them. */
  get abort(): { readonly reason: unknown } | undefined {
    return this.#notifiesAbort && this.caller?.aborted === true ? this.caller : undefined;
  }

  /** @internal Called when a call begins. The outermost one decides how the run ends. */
  enters(call: RootCall, { parent, kind }: CallId): void {
    if (parent !== undefined && this.#prefix !== undefined && parent.id.startsWith(this.#prefix)) return;
    if (kind === "agent" || this.#root?.kind !== "agent") this.#root = call;
  }

  /** @internal Creates a call's identity. */
  identify(kind: Kind, parent: CallId | undefined): CallId {
    this.#prefix ??= randomHex(6);
    return { id: `${this.#prefix}-${++this.#calls}`, kind, parent };
  }

  async #finish(reason: unknown): Promise<void> {
    // The reason is created only if work is open, which is rare, since an error costs a stack trace.
    while (this.#open !== undefined && this.#open.size > 0) {
      await this.#stop(reason ?? this.abort?.reason ?? cancelled("The run ended."));
    }
    await Promise.all(this.#work ?? none);
    await this.#endPlugins(reason);
  }

  #endPlugins(reason: unknown): Promise<void> | undefined {
    const settlement = (): RunSettlement => {
      const aborted = this.caller?.aborted === true ? { reason: this.caller.reason } : undefined;
      const stopped = this.#stopped ?? aborted ?? (reason === undefined ? undefined : { reason });
      return endOfRun(this.#root, this.#reported, stopped);
    };
    const close = (): void => {
      this.#closed = true;
    };
    const ending = endPlugins(this.#plugins, this, settlement, () => this.#stopped !== undefined);
    if (ending === undefined) close();
    return ending?.then(close);
  }

  /** Listens to the caller's signal from the first time that an abort matters. */
  #follow(): void {
    const signal = this.caller;
    if (signal === undefined || this.#unfollow !== undefined || this.#ended) return;
    this.#unfollow = onAbort(signal, () => {
      if (this.#notifiesAbort) this.#controller?.abort(signal.reason);
      else void this.#stop(signal.reason);
    });
  }

  /** Stops the run: no new work begins, and running work is aborted. Only the first reason counts. */
  async #stop(because: unknown): Promise<void> {
    this.#stopped ??= { reason: because };
    const { reason } = this.#stopped;
    this.#open?.doom(reason);
    this.#controller?.abort(reason);
    await this.#open?.cancel(reason);
  }

  #alive(over = this.#closed): void {
    if (over) throw new CoreError("ERR_RUN_ENDED", `Run ${this.runId} has ended.`);
  }
}
