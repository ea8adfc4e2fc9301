import { type CallId, MiddlewareTermination, type RuntimeContext } from "@suite/core";
import type { GuardrailNotification } from "@suite/core/contract";
import { blocked, PiiError } from "../errors.js";
import { preparedEngine } from "../redact/async/engine.js";
import { Prepared } from "../redact/async/prepared.js";
import type { Engine } from "../redact/engine.js";
import { CleanTexts } from "../redact/remembering.js";
import { type Counts, Tally } from "../redact/tally.js";
import type { PiiOptions } from "./options.js";
import type { RunTokens } from "./run-tokens.js";

/** The place that a guard checks, and its call. */
export interface At {
  readonly place: GuardrailNotification["place"];
  readonly runtime: RuntimeContext;
  readonly call?: CallId;
}

type Decision = GuardrailNotification["decision"];

/** Internal settings of a guard that are not options. */
interface Internals {
  readonly clean?: CleanTexts | undefined;
  readonly reports?: boolean;
}

/** Decides on the findings of one plugin, and reports the decision. */
export class Guard {
  readonly engine: Engine;
  /** True if decisions are enforced. False in monitor mode. */
  readonly enforced: boolean;
  readonly onUnscannable: NonNullable<PiiOptions["onUnscannable"]>;
  /** Cache of strings without findings, shared by all places. Undefined if recognisers are asynchronous. */
  readonly clean: CleanTexts | undefined;
  readonly #options: PiiOptions;
  readonly #reports: boolean;
  #warned = false;

  constructor(engine: Engine, options: PiiOptions, { clean = new CleanTexts(), reports = true }: Internals = {}) {
    const { mode = "enforce", onUnscannable = "allow" } = options;
    this.engine = engine;
    this.enforced = mode === "enforce";
    this.onUnscannable = onUnscannable;
    this.clean = engine.async.length > 0 ? undefined : clean;
    this.#options = options;
    this.#reports = reports;
  }

  /**
   * Prepares the guard for one value, request or stream: with the findings of async recognisers and the tokens of an
   * async vault. Guards that only collect report nothing.
   */
  prepared(at: Omit<At, "place">, tokens: RunTokens | undefined): Prepared<Guard> {
    const { engine } = this;
    let guard = new Prepared<Guard>(this);
    if (engine.async.length > 0) {
      this.#warn(at);
      guard = preparedEngine(engine, at.runtime.signal).map((each, collects) => this.#with(each, !collects));
    }
    return tokens === undefined ? guard : tokens.after(guard, this.#with(guard.subject.engine, false));
  }

  /** Returns a guard with the same options. */
  #with(engine: Engine, reports: boolean): Guard {
    return new Guard(engine, this.#options, { clean: this.clean, reports: reports && this.#reports });
  }

  /**
   * Returns the treated value, or the original if nothing was found or nothing may be changed. Throws if a rule blocks.
   */
  treat<T>(at: At, original: T, treat: (tally: Tally) => T): T {
    const tally = new Tally();
    let treated: T;
    try {
      treated = treat(tally);
    } catch (error) {
      this.fail(at, error);
      return original;
    }
    this.decide(at, tally);
    return this.enforced ? treated : original;
  }

  /** Reports the findings. Throws if a rule blocks. */
  decide(at: At, tally: Tally): void {
    const { ignored } = tally;
    if (ignored.length > 0) this.#notify(at, "fail_open", Object.fromEntries(ignored.map((type) => [type, 0])));
    if (tally.empty) return;
    const types = tally.blocked;
    this.#notify(at, types.length > 0 ? "block" : "modify", tally.counts);
    const { onBlock = "call" } = this.#options;
    if (types.length > 0 && this.enforced) throw MiddlewareTermination.mark(blocked(types, [at.place]), onBlock);
  }

  /** Reports that the rules failed. Throws, unless `onError` is `open`. */
  fail(at: At, error: unknown): void {
    const open = this.#options.onError === "open";
    this.#notify(at, open ? "fail_open" : "fail_closed");
    if (open || !this.enforced) return;
    if (PiiError.is(error)) throw error;
    throw new PiiError(
      "ERR_PII_DETECTION_FAILED",
      `The search for personal data failed in ${at.place}, so the value was not passed on.`,
      {
        places: [at.place],
        cause: error,
      },
    );
  }

  /** Reports once that asynchronous rules do not apply to telemetry. */
  #warn({ runtime, call }: Omit<At, "place">): void {
    if (this.#warned || this.#options.apply?.telemetry === false) return;
    this.#warned = true;
    const error = new PiiError(
      "ERR_PII_NEEDS_ASYNC",
      `Telemetry and audit cannot wait for the recogniser of ${this.engine.async.join(", ")}: they only use its "deny" list. Disable content capture, or use a pattern for the type.`,
      { types: this.engine.async },
    );
    runtime.notify({
      type: "fault",
      where: `the redactor of ${this.#options.name ?? "pii"}`,
      error,
      ...(call && { call }),
    });
  }

  #notify({ place, runtime, call }: At, decision: Decision, findings?: Counts): void {
    if (!this.#reports) return;
    runtime.notify({
      type: "guardrail",
      plugin: this.#options.name ?? "pii",
      place,
      decision,
      enforced: this.enforced,
      ...(call && { call }),
      ...(findings && { findings }),
    });
  }
}
