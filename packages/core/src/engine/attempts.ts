import type { CallId, Final, Kind } from "../contract/kinds.js";
import type { Settlement } from "../contract/outcome.js";
import type { Plugin } from "../contract/plugin.js";
import type { Reply } from "../messages/message.js";
import { cancelled } from "./ending.js";
import type { Flow } from "./flow.js";
import type { Frame } from "./frame.js";
import type { Run } from "./run.js";

/** An attempt that was begun and not yet reported. */
interface Open<K extends Kind> {
  /** The frame of the core. */
  readonly frame: Frame<K>;
  readonly number: number;
  readonly startedAt: number;
  thrown?: { readonly error: unknown; readonly at: number };
  flow?: Flow<unknown, Final<K>>;
  /** The number of layers outside the outermost one that retried. */
  outside: number;
}

/**
 * The attempts at one call: how often its core was entered. They are reported to plugins outside the layer that
 * retries, since those see only one call. Created only if such a plugin exists. A successful call reads the clock only
 * once.
 */
export class Attempts<K extends Kind> {
  #open: Open<K> | undefined;
  /** The number of attempts, including those of branches. */
  #count = 0;

  /**
   * @param layers the plugins whose layers the call passes.
   * @param parent the attempts of the call that this is a branch of.
   */
  constructor(
    readonly call: CallId,
    readonly run: Run,
    readonly layers: readonly Plugin[],
    readonly parent?: Attempts<K>,
  ) {}

  /** Creates the attempts of a branch. They count as attempts of this call. */
  branch(): Attempts<K> {
    return new Attempts(this.call, this.run, this.layers, this);
  }

  /** Takes over a branch: its result becomes the call's. */
  take(branch: Attempts<K>): void {
    this.#open = branch.#open;
    branch.#open = undefined;
  }

  /** Called before the core is entered. The answer of the last attempt was discarded. */
  begin(frame: Frame<K>): void {
    const all = this.parent ?? this;
    all.#notify();
    this.#notify();
    this.#open = { frame, number: ++all.#count, startedAt: Date.now(), outside: Number.POSITIVE_INFINITY };
  }

  /** Called when the core threw. */
  threw(error: unknown): void {
    if (this.#open !== undefined) this.#open.thrown = { error, at: Date.now() };
  }

  /** Called when the core answered. */
  answered(flow: Flow<unknown, Final<K>>): void {
    if (this.#open !== undefined) this.#open.flow = flow;
  }

  /**
   * Called when another answer replaced the attempt: a layer answered after the core had failed, or another branch was
   * faster.
   *
   * @param outside the number of layers outside that layer.
   */
  replaced(outside: number): void {
    this.#notify(outside);
  }

  /**
   * Called when a layer calls `callNext` again.
   *
   * @param outside the number of layers outside that layer.
   */
  again(outside: number): void {
    if (this.#open !== undefined && outside < this.#open.outside) this.#open.outside = outside;
  }

  #notify(outside = this.#open?.outside): void {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    const { number, startedAt, thrown, flow } = open;
    const settlement = settlementOf(open);
    const usage = this.call.kind === "model" ? usageOf(open, settlement) : undefined;
    const attempt = { type: "attempt", call: this.call, attempt: number, request: open.frame.request } as const;
    const endedAt = thrown?.at ?? flow?.failedAt ?? Date.now();
    const inside = this.layers.slice(outside);
    const more = { ...(usage !== undefined && { usage }), ...(flow?.isError === true && { isError: true as const }) };
    this.run.tell(
      { ...attempt, settlement, startedAt, endedAt, ...more },
      this.run.observers.filter((plugin) => !inside.includes(plugin)),
    );
  }
}

function settlementOf<K extends Kind>({ thrown, flow }: Open<K>): Settlement<Final<K>> {
  if (thrown !== undefined) return { status: "failed", error: thrown.error };
  return flow?.settlement ?? { status: "cancelled", reason: cancelled("Another answer replaced it.") };
}

/** Reads the usage also from a plain value that was not read. */
function usageOf<K extends Kind>({ flow }: Open<K>, settlement: Settlement<Final<K>>): Reply["usage"] {
  const reply = settlement.status === "completed" ? settlement.final : flow?.value;
  return (reply as Partial<Reply> | undefined)?.usage;
}

/** Returns the attempts of a call, or `undefined` if no observer is outside of a layer. */
export function attemptsOf<K extends Kind>(call: CallId, run: Run, layers: readonly Plugin[]): Attempts<K> | undefined {
  const innermost = layers.at(-1);
  const observed = innermost !== undefined && run.observers.some((plugin) => plugin !== innermost);
  return observed ? new Attempts(call, run, layers) : undefined;
}
