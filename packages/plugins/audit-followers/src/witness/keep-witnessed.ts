import { listLogFiles } from "@suite/audit/internal";
import { callable, name, time } from "@suite/kit/options";
import { AuditFollowersError } from "../errors.js";
import { checkArgument, checkOptions } from "../options.js";
import { emitWarning } from "../warnings.js";
import { type Witnessed, type WitnessOptions, witnessChecks, witnessLog } from "./witness-log.js";

/** The options of `keepWitnessed`. */
export interface KeepWitnessedOptions extends Omit<WitnessOptions, "signal"> {
  /** Milliseconds between two rounds. Default one hour. */
  readonly everyMs?: number;
  /** Receives every error. Without it, the first error of each kind is a process warning. */
  readonly onError?: (error: unknown) => void;
}

/** A schedule for witnesses. It does not keep the process alive. */
export interface WitnessSchedule {
  /**
   * Sends the head now. Resolves when enough witnesses for the policy have cosigned all records that were acknowledged
   * before the call.
   */
  now(): Promise<Witnessed>;
  /** Ends the schedule and cancels pending requests. */
  close(): Promise<void>;
}

const HOUR = 60 * 60 * 1000;

/**
 * Sends the head of a log to witnesses on a schedule, if records were written since. No append waits for it. Only
 * callers of `now()` do.
 *
 * @throws AuditFollowersError `ERR_AUDIT_FOLLOWERS_INVALID_OPTION`
 *
 * @example
 * ```ts
 * const schedule = keepWitnessed("/var/log/agent", { signer, witnesses, policy: 2, everyMs: 600_000 });
 * ```
 */
export function keepWitnessed(dir: string, options: KeepWitnessedOptions): WitnessSchedule {
  checkArgument("keepWitnessed", "dir", dir, name);
  const { signal: _, ...checks } = witnessChecks;
  const all = { ...checks, everyMs: time, onError: callable };
  const { everyMs = HOUR, onError, ...rest } = checkOptions("keepWitnessed", options, all, ["witnesses"]);
  return new Schedule(dir, everyMs, rest, onError ?? warnOnce());
}

class Schedule implements WitnessSchedule {
  readonly #dir: string;
  readonly #options: Omit<WitnessOptions, "signal">;
  readonly #closing = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #running: Promise<unknown> = Promise.resolve();
  /** The files and their sizes after the last round. */
  #seen: string | undefined;

  constructor(dir: string, everyMs: number, options: Omit<WitnessOptions, "signal">, report: (error: unknown) => void) {
    this.#dir = dir;
    this.#options = options;
    this.#timer = setInterval(() => {
      void this.#queue(async () => (await this.#isOutdated()) && (await this.#requestCosignatures())).catch(report);
    }, everyMs).unref();
  }

  now(): Promise<Witnessed> {
    return this.#queue(() => this.#requestCosignatures());
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await this.#running;
  }

  /** Runs one action after another. */
  #queue<T>(act: () => Promise<T>): Promise<T> {
    const result = this.#running.then(act);
    this.#running = result.catch(() => {});
    return result;
  }

  async #requestCosignatures(): Promise<Witnessed> {
    const { signal } = this.#closing;
    if (signal.aborted) throw new AuditFollowersError("ERR_AUDIT_FOLLOWERS_CLOSED", "The schedule was closed.");
    const witnessed = await witnessLog(this.#dir, { ...this.#options, signal });
    this.#seen = await this.#state();
    return witnessed;
  }

  async #isOutdated(): Promise<boolean> {
    return !this.#closing.signal.aborted && (await this.#state()) !== this.#seen;
  }

  async #state(): Promise<string> {
    const files = await listLogFiles(this.#dir).catch(() => []);
    return files.map(({ name, bytes }) => `${name} ${bytes}`).join();
  }
}

function warnOnce(): (error: unknown) => void {
  const warned = new Set<unknown>();
  return (error) => {
    const { code, message } = error as { readonly code?: unknown; readonly message?: string };
    if (warned.has(code)) return;
    warned.add(code);
    emitWarning(`@suite/audit-followers: ${message ?? String(error)}`);
  };
}
