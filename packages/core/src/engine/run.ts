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
import { beginPlugins, boundRedactors, endOfRun, endPlugins, type RootCall, tellPlugins } from "./run-plugins.js";
import { RunState } from "./state.js";

const none: readonly never[] = Object.freeze([]);
const done = Promise.resolve();

/**
 * One run. Adapters begin and end it; hooks and tools see it as `RuntimeContext`. What only some runs need is made for
 * whoever asks: one round a direct call of the framework costs little more than its object.
 */
export class Run implements RuntimeContext, FlowOwner {
  readonly agent: AgentInfo | undefined;
  readonly sessionId: string | undefined;
  readonly userId: string | undefined;
  readonly tenantId: string | undefined;
  readonly parent: RuntimeContext | undefined;
  /** The function that asks a model, set by an adapter that knows one (`askThrough`), and by one whose tools may change. */
  ask: Ask | undefined;
  tools: RunTools | undefined;
  /** Whether the adapter asks the `client` of a model request, where there is one. */
  takesClients = false;
  /** Whether the adapter's innermost call may be entered again while it is at work. */
  takesBranches = false;
  /** @internal */
  readonly ambient: Ambient | undefined;
  /** @internal Who began it, where somebody has to tell their own runs from others'. */
  owner: unknown;
  readonly #layers: RunLayers<Run>;
  #memory: CallMemory | undefined;
  /** @internal Whether code inside of it may look for something that a plugin left there. */
  readonly carries: boolean;
  #runId: string | undefined;
  #open: OpenWork | undefined;
  #work: Promise<void>[] | undefined;
  /** The outermost call: of an agent, where there is one, else the last one. */
  #root: RootCall | undefined;
  /** The end of the run as the adapter knows it. */
  #told: { readonly error: unknown } | { readonly by: unknown } | undefined;
  #state: RunState | undefined;
  readonly #stored: Readonly<Record<string, unknown>> | undefined;
  readonly #redactors: readonly Redactor[];
  #plugins: readonly Plugin[];
  #observers: readonly Plugin[] | undefined;
  /** The run's own signal: a caller does not abort when a consumer stops reading. */
  #controller: AbortController | undefined;
  /** The reason why nothing may go on. */
  #stopped: { readonly reason: unknown } | undefined;
  readonly #tells: boolean;
  /** @internal The caller's signal. */
  readonly caller: AbortSignal | undefined;
  /** Lets the caller's signal go. */
  #unfollow: (() => void) | undefined;
  #calls = 0;
  #prefix: string | undefined;
  #ended = false;
  #ending: Promise<void> | undefined;
  #gone = false;

  /** @internal Use `PluginStack.begin`. @param plugins those of single tools among them. */
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
    this.#tells = options.onAbort === "tell";
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

  /** @internal Plugins that have to be told of attempts which they cannot see. */
  get attemptObservers(): readonly Plugin[] {
    this.#observers ??= this.#plugins.filter((plugin) => plugin.observe && plugin.observesAttempts?.() !== false);
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
    const own = { agent, sessionId, userId, tenantId, ambient };
    const begin = () => new Run(this.#layers, own, this.#plugins, this.#redactors);
    return inBackground(this, begin, work, this.#layers.background);
  }
  /** Itself, as hooks and tools see it. */
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
  /** Whether the run has ended: nothing may begin in it any more. */
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
  /** @internal Tells these alone. After the end nobody can make anything of it: what they keep is gone. */
  tell(notification: Notification, plugins: readonly Plugin[]): void {
    tellPlugins(notification, this.#gone ? none : plugins, this);
  }
  /** Plugins that sub-agents take over. */
  get passedOn(): readonly Plugin[] {
    return this.#layers.plugins.filter(({ inSubAgents }) => inSubAgents === true);
  }
  /** Values that plugins have left for the result, to be read also after the end. */
  get left(): Values | undefined {
    return this.#state?.left;
  }
  /** Reports what was thrown where nothing may be disturbed. */
  fault(where: string, error: unknown): void {
    this.notify({ type: "fault", where, error });
  }
  /** The state under durable keys, as JSON, for the pending state of a suspended run. */
  save(): Record<string, unknown> {
    return this.#state?.save() ?? { ...this.#stored };
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
    return this.finish(reason) ?? done;
  }
  /** Says that the run failed, where that is not to be seen from its calls: before the first, say, or behind the last. */
  failed(error: unknown): void {
    this.#told = { error };
  }
  /** Says that a layer ended the run on purpose, with an answer; undefined takes it back. */
  terminated(by: unknown): void {
    this.#told = by === undefined ? undefined : { by };
  }
  /** Ends the run as `end` does, without a promise where there is nothing to wait for: nothing is open, and no plugin's `end` gives one. */
  finish(reason?: unknown): Promise<void> | undefined {
    if (!this.#ended) {
      this.#ended = true;
      this.#unfollow?.();
      const waits = this.#work !== undefined || (this.#open !== undefined && this.#open.size > 0);
      this.#ending = waits ? this.#finish(reason) : this.#endPlugins(reason);
    }
    return this.#gone ? undefined : this.#ending;
  }
  /** @internal Keeps account of an answer or a call until it is over; one that comes too late ends at once. */
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
  /** @internal Throws if nothing may begin any more: the abort's reason, if the run was aborted. */
  check(): void {
    this.#follow();
    if (this.#stopped !== undefined) throw this.#stopped.reason;
    this.#alive(this.#ended);
  }
  /** @internal The abort that answers in it were told of, and that did not end them. */
  get abort(): { readonly reason: unknown } | undefined {
    return this.#tells && this.caller?.aborted === true ? this.caller : undefined;
  }

  /** @internal A call begins: the run ends as the outermost one does. */
  enters(call: RootCall, { parent, kind }: CallId): void {
    if (parent !== undefined && this.#prefix !== undefined && parent.id.startsWith(this.#prefix)) return;
    if (kind === "agent" || this.#root?.kind !== "agent") this.#root = call;
  }

  /** @internal A call's identity. */
  identify(kind: Kind, parent: CallId | undefined): CallId {
    this.#prefix ??= randomHex(6);
    return { id: `${this.#prefix}-${++this.#calls}`, kind, parent };
  }

  async #finish(reason: unknown): Promise<void> {
    // Nearly always nothing is left open, and an error costs a stack trace.
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
      return endOfRun(this.#root, this.#told, stopped);
    };
    const gone = (): void => {
      this.#gone = true;
    };
    const telling = endPlugins(this.#plugins, this, settlement, () => this.#stopped !== undefined);
    if (telling === undefined) gone();
    return telling?.then(gone);
  }

  /** Listens to the caller's signal from when there is something to tell. */
  #follow(): void {
    const signal = this.caller;
    if (signal === undefined || this.#unfollow !== undefined || this.#ended) return;
    this.#unfollow = onAbort(signal, () => {
      if (this.#tells) this.#controller?.abort(signal.reason);
      else void this.#stop(signal.reason);
    });
  }

  /** Stops the run: nothing begins from here, and what is at work is told. Only the first reason counts. */
  async #stop(because: unknown): Promise<void> {
    this.#stopped ??= { reason: because };
    const { reason } = this.#stopped;
    this.#open?.doom(reason);
    this.#controller?.abort(reason);
    await this.#open?.cancel(reason);
  }

  #alive(over = this.#gone): void {
    if (over) throw new CoreError("ERR_RUN_ENDED", `Run ${this.runId} has ended.`);
  }
}
