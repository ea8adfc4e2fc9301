import type { CallId, Final, Kind } from "../contract/kinds.js";
import type { Settlement } from "../contract/outcome.js";
import type { Plugin } from "../contract/plugin.js";
import type { Reply } from "../messages/message.js";
import { cancelled } from "./ending.js";
import type { Flow } from "./flow.js";
import type { Frame } from "./frame.js";
import type { Run } from "./run.js";

/** An attempt that was begun, and that nobody was told of. */
interface Open<K extends Kind> {
  /** The core's own frame. */
  readonly frame: Frame<K>;
  readonly number: number;
  readonly startedAt: number;
  thrown?: { readonly error: unknown; readonly at: number };
  flow?: Flow<unknown, Final<K>>;
  /** The number of layers outside the outermost one that asked again. */
  outside: number;
}

/**
 * The attempts at one call: how often its core was entered, for plugins that stand outside the layer which asked
 * again: they see one call. Made only where there is such a plugin. The clock is read once for a call that succeeds.
 */
export class Attempts<K extends Kind> {
  #open: Open<K> | undefined;
  /** The number of attempts, those of its branches included. */
  #count = 0;

  /**
   * @param layers the plugins whose layers the call goes through.
   * @param parent the attempts of the call that this is a branch of.
   */
  constructor(
    readonly call: CallId,
    readonly run: Run,
    readonly layers: readonly Plugin[],
    readonly parent?: Attempts<K>,
  ) {}

  /** The attempts of a branch, which are counted with these. */
  branch(): Attempts<K> {
    return new Attempts(this.call, this.run, this.layers, this);
  }

  /** Takes over a branch: what became of it is what became of the call. */
  take(branch: Attempts<K>): void {
    this.#open = branch.#open;
    branch.#open = undefined;
  }

  /** The core is about to be entered; what the last attempt gave has been let go. */
  begin(frame: Frame<K>): void {
    const all = this.parent ?? this;
    all.#tell();
    this.#tell();
    this.#open = { frame, number: ++all.#count, startedAt: Date.now(), outside: Number.POSITIVE_INFINITY };
  }

  /** The core threw. */
  threw(error: unknown): void {
    if (this.#open !== undefined) this.#open.thrown = { error, at: Date.now() };
  }

  /** The core answered. */
  answered(flow: Flow<unknown, Final<K>>): void {
    if (this.#open !== undefined) this.#open.flow = flow;
  }

  /** A layer with so many outside answered, where the core had failed; or another branch was faster. */
  replaced(outside: number): void {
    this.#tell(outside);
  }

  /** The layer with so many outside called `callNext` again. */
  again(outside: number): void {
    if (this.#open !== undefined && outside < this.#open.outside) this.#open.outside = outside;
  }

  #tell(outside = this.#open?.outside): void {
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
      this.run.attemptObservers.filter((plugin) => !inside.includes(plugin)),
    );
  }
}

function settlementOf<K extends Kind>({ thrown, flow }: Open<K>): Settlement<Final<K>> {
  if (thrown !== undefined) return { status: "failed", error: thrown.error };
  return flow?.settlement ?? { status: "cancelled", reason: cancelled("Another answer took its place.") };
}

/** A plain value that nobody read has used what it says, too. */
function usageOf<K extends Kind>({ flow }: Open<K>, settlement: Settlement<Final<K>>): Reply["usage"] {
  const reply = settlement.status === "completed" ? settlement.final : flow?.value;
  return (reply as Partial<Reply> | undefined)?.usage;
}

/** The attempts of a call; undefined where nobody would have to be told: no observer stands outside a layer. */
export function attemptsOf<K extends Kind>(call: CallId, run: Run, layers: readonly Plugin[]): Attempts<K> | undefined {
  const innermost = layers.at(-1);
  const told = innermost !== undefined && run.attemptObservers.some((plugin) => plugin !== innermost);
  return told ? new Attempts(call, run, layers) : undefined;
}
