import type { CallId, GuardrailNotification, RuntimeContext } from "@suite/core";
import { blocked, PiiError } from "../errors.js";
import type { Engine } from "../redactor/engine.js";
import { Tally } from "../redactor/tally.js";
import type { PiiOptions } from "./options.js";

/** Where a guard looks, and for which call. */
export interface At {
  readonly place: GuardrailNotification["place"];
  readonly runtime: RuntimeContext;
  readonly call?: CallId;
}

type Decision = GuardrailNotification["decision"];

/** Decides, and tells what it decided. */
export class Guard {
  readonly engine: Engine;
  /** False in monitor mode. */
  readonly enforced: boolean;
  readonly #name: string;
  readonly #open: boolean;

  constructor(engine: Engine, { name = "pii", mode = "enforce", onError = "closed" }: PiiOptions) {
    if (mode !== "enforce" && mode !== "monitor") throw invalid('mode is "enforce" or "monitor"');
    if (onError !== "closed" && onError !== "open") throw invalid('onError is "closed" or "open"');
    this.engine = engine;
    this.enforced = mode === "enforce";
    this.#name = name;
    this.#open = onError === "open";
  }

  /** The treated form of something, or itself where nothing was found or nothing may be changed. Throws where a rule blocks. */
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

  /** Tells what was found. Throws where a rule blocks. */
  decide(at: At, tally: Tally): void {
    if (tally.empty) return;
    const types = tally.blocked;
    this.#notify(at, types.length > 0 ? "block" : "modify", tally);
    if (types.length > 0 && this.enforced) throw blocked(types, [at.place]);
  }

  /** Tells that the rules failed. Throws, unless the text shall pass. */
  fail(at: At, error: unknown): void {
    this.#notify(at, this.#open ? "fail_open" : "fail_closed");
    if (this.#open || !this.enforced) return;
    if (PiiError.is(error)) throw error;
    throw new PiiError("ERR_PII_DETECTION_FAILED", `Looking for personal data failed in ${at.place}; nothing passes.`, {
      places: [at.place],
      cause: error,
    });
  }

  #notify({ place, runtime, call }: At, decision: Decision, tally?: Tally): void {
    runtime.notify({
      type: "guardrail",
      plugin: this.#name,
      place,
      decision,
      enforced: this.enforced,
      ...(call && { call }),
      ...(tally && { findings: tally.counts }),
    });
  }
}

const invalid = (what: string): PiiError => new PiiError("ERR_PII_INVALID_RULE", `The option ${what}.`);
