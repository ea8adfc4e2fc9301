import type { ApprovalRequest, ApprovalRule, ApprovalVerdict } from "../contract/approval.js";
import type { CallCore, Invocation } from "../contract/call.js";
import type { CallId, Chunk, Final, Kind, Request, Tool } from "../contract/kinds.js";
import type { Outcome } from "../contract/outcome.js";
import type { HookName, Hooks, Plugin } from "../contract/plugin.js";
import type { Awaitable, Middleware } from "../contract/protocol.js";
import type { RuntimeContext } from "../contract/runtime.js";
import { attemptsOf } from "./attempts.js";
import { Call } from "./call.js";
import { enter, Frame, inward } from "./frame.js";
import type { Identify } from "./identity.js";
import { fold, notAwaited, type Onion, Watches } from "./onion.js";
import { calls, checkPlugins, hookNames, joinPlugins } from "./plugins.js";
import { Run } from "./run.js";
import type { RunOptions } from "./run-options.js";

/** The folded layers of one kind. */
export type Composed<K extends Kind> = Onion<Frame<K>>;

/**
 * Folds the hooks of one kind into one function, first plugin outermost. Returns `undefined` if no plugin has this
 * hook: call the framework directly.
 */
export function compose<K extends Kind>(kind: K, plugins: readonly Hooks[]): Composed<K> | undefined {
  const layers = plugins.flatMap((plugin): readonly Middleware<Invocation<K>>[] => {
    const layer: Middleware<Invocation<K>> | undefined = plugin[kind];
    if (layer === undefined) return [];
    return [typeof layer === "function" ? layer.bind(plugin) : layer];
  });
  return fold<Frame<K>>(layers, inward, {
    onRepeat: (frame) => frame.shared.attempts?.again(frame.depth),
    mayGoOn: (frame) => frame.mayGoOn,
  });
}

/** The folded hooks of one kind, and their plugins. */
interface Folded {
  readonly onion: Composed<never> | undefined;
  readonly layers: readonly Plugin[];
}

/**
 * A list of plugins, folded once, as an adapter holds it. The first is outermost.
 *
 * @example
 * ```ts
 * const stack = new PluginStack(plugins);
 * const run = stack.begin({ signal });
 * const outcome = await stack.call("model", run, request, async (invocation) => {
 *   invocation.respond({ value: await callTheModel(invocation.request) });
 * });
 * const reply = await outcome.final();
 * await run.end();
 * ```
 */
export class PluginStack {
  readonly plugins: readonly Plugin[];
  /**
   * True for a hook that a plugin has. If not, an adapter calls its framework directly: `stack.has.model ? … : …`.
   */
  readonly has: Readonly<Record<HookName, boolean>>;
  readonly #folded = new Map<Kind, Folded>();
  readonly #watches = new Watches();
  readonly #serves: ReadonlySet<HookName> | undefined;

  /**
   * @param serves the hooks that the adapter serves. Default: all.
   * @param background the open background work of the runs, shared with the stack that this one extends.
   * @param identify returns the ids of a framework's run: the option `run` of `withPlugins`.
   * @throws CoreError `ERR_INVALID_PLUGIN`
   */
  constructor(
    plugins: readonly Plugin[] = [],
    serves?: ReadonlySet<HookName>,
    readonly background: Set<Promise<void>> = new Set(),
    readonly identify?: Identify,
  ) {
    this.#serves = serves;
    checkPlugins(plugins);
    this.plugins = joinPlugins([], plugins);
    const served = hookNames.map((name) => [name, this.plugins.some((plugin) => calls(plugin, name, serves))]);
    this.has = Object.fromEntries(served) as Record<HookName, boolean>;
  }

  /** True if any plugin has any of these hooks: those that a path of the framework serves. */
  hasAny(names: readonly HookName[]): boolean {
    return names.some((name) => this.has[name]);
  }

  /** Begins a run: calls `begin` of every plugin, in order, before any hook. Always end it. */
  begin(options: RunOptions = {}): Run {
    const { toolPlugins = [] } = options;
    return new Run(this, options, toolPlugins.length === 0 ? this.plugins : joinPlugins(this.plugins, toolPlugins));
  }

  /**
   * Makes one call through the layers of its kind. Resolves when the layers have returned. The answer streams when it
   * is read.
   *
   * @param parent the enclosing call.
   * @throws the error of a layer or the core, unchanged.
   */
  async call<K extends Kind>(
    kind: K,
    run: Run,
    request: Request<K>,
    core: CallCore<K>,
    parent?: CallId,
  ): Promise<Outcome<Chunk<K>, Final<K>>> {
    run.check();
    const id = run.identify(kind, parent);
    const folded = this.#fold(kind);
    const onion = folded.onion as Composed<K> | undefined;
    const call = new Call(kind, id, run, core, attemptsOf<K>(id, run, folded.layers));
    const frame = new Frame(call, request);
    const watch = this.#watches.next();
    run.adopt(call, id);
    run.enters(call, id);
    try {
      await (onion === undefined ? call.enter(frame) : onion(frame, enter, watch));
      if (watch !== undefined && watch.open > 0 && !call.hasGivenUp) throw notAwaited(`the ${kind} call`);
      return call.end(onion === undefined || watch !== undefined);
    } catch (error) {
      await call.abandon(error);
      throw error;
    } finally {
      call.leave();
    }
  }

  /** Transforms the system prompt by each plugin. The first plugin transforms first. */
  systemPrompt(prompt: string, runtime: RuntimeContext): Awaitable<string> {
    let current: Awaitable<string> = prompt;
    for (const plugin of this.plugins) {
      if (plugin.systemPrompt === undefined) continue;
      const transform = plugin.systemPrompt.bind(plugin);
      current =
        typeof current === "string" ? transform(current, runtime) : current.then((text) => transform(text, runtime));
    }
    return current;
  }

  /** True if a plugin has a `reveal` function. */
  get reveals(): boolean {
    return this.plugins.some(({ reveal }) => reveal !== undefined);
  }

  /** Returns an earlier answer as the run's user may read it. The innermost plugin is called first. */
  async reveal(text: string, runtime: RuntimeContext): Promise<string> {
    let current = text;
    for (const plugin of this.plugins.toReversed()) current = (await plugin.reveal?.(current, runtime)) ?? current;
    return current;
  }

  /** Returns the tools that plugins offer, in order. */
  async tools(runtime: RuntimeContext): Promise<readonly Tool[]> {
    const offered = await Promise.all(this.plugins.map((plugin) => plugin.tools?.(runtime) ?? []));
    return offered.flat();
  }

  /**
   * Returns the plugins' combined decision on a tool call, or `undefined` if it may run. A rejection has priority over
   * everything, and a rule (a person must decide) over any other verdict. Several rules are combined: the first
   * question, and the decisions that all of them allow.
   */
  async approval(
    request: ApprovalRequest,
    runtime: RuntimeContext,
  ): Promise<ApprovalRule | ApprovalVerdict | undefined> {
    let rule: ApprovalRule | undefined;
    let verdict: ApprovalVerdict | undefined;
    for (const plugin of this.plugins) {
      const ruling = await plugin.approval?.(request, runtime);
      if (ruling === undefined) continue;
      if (!("decision" in ruling)) rule = rule === undefined ? ruling : bothRules(rule, ruling);
      else if (ruling.decision === "reject") return ruling;
      else if (verdict === undefined || verdict.decision === "approve") verdict = ruling;
    }
    return rule ?? verdict;
  }

  /** Returns a stack with further plugins, which are innermost. Plugins that it already has are not added again. */
  append(plugins: readonly Plugin[], identify = this.identify): PluginStack {
    if (plugins.length === 0 && identify === this.identify) return this;
    checkPlugins(plugins);
    return new PluginStack(joinPlugins(this.plugins, plugins), this.#serves, this.background, identify);
  }

  /** Returns a stack with some of these plugins, and with the same served hooks and ids. */
  only(plugins: readonly Plugin[]): PluginStack {
    return new PluginStack(plugins, this.#serves, this.background, this.identify);
  }

  /**
   * Closes every plugin after the background work of its runs has ended, even if one fails. Then rejects with the first
   * error.
   */
  async close(): Promise<void> {
    while (this.background.size > 0) await Promise.all(this.background);
    const closed = await Promise.allSettled(this.plugins.map(async (plugin) => plugin.close?.()));
    for (const each of closed) if (each.status === "rejected") throw each.reason;
  }

  #fold(kind: Kind): Folded {
    let folded = this.#folded.get(kind);
    if (folded === undefined) {
      const layers = this.plugins.filter((plugin) => calls(plugin, kind, this.#serves));
      folded = { onion: compose(kind, layers) as Composed<never> | undefined, layers };
      this.#folded.set(kind, folded);
    }
    return folded;
  }
}

/** Combines two rules: the first question, and the decisions that both allow. */
export function bothRules(first: ApprovalRule, second: ApprovalRule): ApprovalRule {
  const question = first.question ?? second.question;
  const decisions = first.decisions?.filter((each) => second.decisions?.includes(each) !== false) ?? second.decisions;
  const id = first.id ?? second.id;
  return {
    ...(question !== undefined && { question }),
    ...(decisions !== undefined && { decisions }),
    ...(id !== undefined && { id }),
  };
}
