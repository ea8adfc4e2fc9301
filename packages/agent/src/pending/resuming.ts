import { any } from "@suite/kit/options";
import { type Checks, checkOptions } from "../check-options.js";
import { AgentError } from "../errors.js";
import type { ResumeOptions } from "../options.js";
import { StateKeys } from "./keys.js";
import { processStore, type ResumeStore } from "./store.js";

const resumeChecks: Checks<ResumeOptions> = { keys: any, store: any, expiresIn: any, maxBytes: any };

const day = 24 * 60 * 60 * 1000;
/** The upper limit of `expiresIn`. With it, the end is still a valid date. */
const century = 100 * 365.25 * day;
const defaultMaxBytes = 4 * 1024 * 1024;

/** The checked resume options of an agent with defaults: how its suspended runs are signed, stored and resumed. */
export class Resuming {
  readonly keys: StateKeys;
  readonly store: ResumeStore;
  /** Milliseconds. */
  readonly expiresIn: number;
  /** The maximum size of a pending state, in characters of JSON. */
  readonly maxBytes: number;
  readonly #options: ResumeOptions;

  /** @throws AgentError `ERR_AGENT_OPTIONS` */
  constructor(options: ResumeOptions = {}) {
    options = checkOptions("resume", options, resumeChecks);
    const { store = processStore, expiresIn = day, maxBytes = defaultMaxBytes } = options;
    if (typeof expiresIn !== "number" || !(Math.abs(expiresIn) <= century)) {
      throw new AgentError(
        "ERR_AGENT_OPTIONS",
        "resume.expiresIn must be a number of milliseconds, at most a hundred years.",
      );
    }
    if (typeof maxBytes !== "number" || !(maxBytes > 0)) {
      throw new AgentError("ERR_AGENT_OPTIONS", "resume.maxBytes must be a number greater than 0.");
    }
    this.#options = options;
    this.keys = new StateKeys(options.keys);
    this.store = store;
    this.expiresIn = expiresIn;
    this.maxBytes = maxBytes;
  }

  /**
   * Returns the settings for an agent that is a tool of another. Options that it does not set are taken from the other
   * agent.
   */
  within(outer: Resuming | undefined): Resuming {
    return outer === undefined
      ? this
      : new Resuming({ ...definedOptions(outer.#options), ...definedOptions(this.#options) });
  }
}

const definedOptions = ({ keys = [], store, expiresIn, maxBytes }: ResumeOptions): ResumeOptions => ({
  ...(keys.length > 0 && { keys }),
  ...(store !== undefined && { store }),
  ...(expiresIn !== undefined && { expiresIn }),
  ...(maxBytes !== undefined && { maxBytes }),
});
