import type { CallId, Final, Kind } from "../contract/kinds.js";
import type { Settlement } from "../contract/outcome.js";
import type { Plugin } from "../contract/plugin.js";
import type { Reply } from "../messages/message.js";
import { cancelled } from "./ending.js";
import type { Flow } from "./flow.js";
import type { Frame } from "./frame.js";
import type { Run } from "./run.js";

/**
 * The attempts at one call: how often its core was entered, for plugins that stand outside the layer which asked
 * again: they see one call. Made only where there is such a plugin. The clock is read once for a call that succeeds.
 */
export class Attempts<K extends Kind> {
  /** The core's own frame; undefined when there is no attempt to tell of. */
  #frame: Frame<K> | undefined;
  #number = 0;
  /** How many there were, those of its branches included. */
  #count = 0;
  /** The attempts of the call that this is a branch of. */
  #of: Attempts<K> | undefined;
  #startedAt = 0;
  #thrown: { readonly error: unknown; readonly at: number } | undefined;
  #flow: Flow<unknown, Final<K>> | undefined;
  /** How many layers are outside the outermost one that asked again. */
  #outside = Number.POSITIVE_INFINITY;

  /** @param layers the plugins whose layers the call goes through. */
  constructor(
    readonly call: CallId,
    readonly run: Run,
    readonly layers: readonly Plugin[],
  ) {}

  /** The attempts of a branch, which are counted with these. */
  branch(): Attempts<K> {
    const branch = new Attempts<K>(this.call, this.run, this.layers);
    branch.#of = this;
    return branch;
  }

  /** Another branch was faster. */
  lost(branch: Attempts<K>, outside: number): void {
    branch.#tell(outside);
  }

  /** What became of a branch is what became of the call. */
  take(branch: Attempts<K>): void {
    this.#frame = branch.#frame;
    this.#number = branch.#number;
    this.#startedAt = branch.#startedAt;
    this.#thrown = branch.#thrown;
    this.#flow = branch.#flow;
    this.#outside = Number.POSITIVE_INFINITY;
    branch.#frame = undefined;
  }

  /** The core is about to be entered; what the last attempt gave has been let go. */
  begin(frame: Frame<K>): void {
    const whole = this.#of ?? this;
    for (const each of [whole, this]) if (each.#frame !== undefined) each.#tell(each.#outside);
    this.#frame = frame;
    this.#number = ++whole.#count;
    this.#startedAt = Date.now();
    this.#thrown = undefined;
    this.#flow = undefined;
    this.#outside = Number.POSITIVE_INFINITY;
  }

  /** The core threw. */
  threw(error: unknown): void {
    this.#thrown = { error, at: Date.now() };
  }

  /** The core answered. */
  answered(flow: Flow<unknown, Final<K>>): void {
    this.#flow = flow;
  }

  /** A layer with so many outside answered, where the core had failed. */
  replaced(outside: number): void {
    this.#tell(outside);
  }

  /** The layer with so many outside called `callNext` again. */
  again(outside: number): void {
    this.#outside = Math.min(this.#outside, outside);
  }

  #tell(outside: number): void {
    const request = this.#frame?.request;
    this.#frame = undefined;
    if (request === undefined) return;
    const settlement = this.#settlement();
    const usage = this.call.kind === "model" ? this.#usage(settlement) : undefined;
    const attempt = { type: "attempt", call: this.call, attempt: this.#number, request, settlement } as const;
    const endedAt = this.#thrown?.at ?? this.#flow?.failedAt ?? Date.now();
    const inside = this.layers.slice(outside);
    const more = {
      ...(usage !== undefined && { usage }),
      ...(this.#flow?.isError === true && { isError: true as const }),
    };
    this.run.tell(
      { ...attempt, startedAt: this.#startedAt, endedAt, ...more },
      this.run.attemptObservers.filter((plugin) => !inside.includes(plugin)),
    );
  }

  #settlement(): Settlement<Final<K>> {
    if (this.#thrown !== undefined) return { status: "failed", error: this.#thrown.error };
    return this.#flow?.settlement ?? { status: "cancelled", reason: cancelled("Another answer took its place.") };
  }

  /** A plain value that nobody read has used what it says, too. */
  #usage(settlement: Settlement<Final<K>>): Reply["usage"] {
    const reply = settlement.status === "completed" ? settlement.final : this.#flow?.whole;
    return (reply as Partial<Reply> | undefined)?.usage;
  }
}

/** The attempts of a call; undefined where nobody would have to be told: no observer stands outside a layer. */
export function attemptsOf<K extends Kind>(call: CallId, run: Run, layers: readonly Plugin[]): Attempts<K> | undefined {
  const innermost = layers.at(-1);
  const told = innermost !== undefined && run.attemptObservers.some((plugin) => plugin !== innermost);
  return told ? new Attempts(call, run, layers) : undefined;
}
