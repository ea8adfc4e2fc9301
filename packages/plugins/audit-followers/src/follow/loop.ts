import { setTimeout as sleep } from "node:timers/promises";
import { isGone } from "@suite/audit/internal";
import { AuditFollowersError } from "../errors.js";
import { backoff, LONGEST_MS } from "./backoff.js";
import type { BatchLimits } from "./batches.js";
import type { Cursor } from "./cursor.js";
import type { FollowedFile } from "./followed-file.js";
import { FollowedFiles, type Looked } from "./followed-files.js";
import type { FollowerTarget } from "./target.js";
import { Waiters } from "./waiters.js";

/** A running follower. It keeps the process alive only while a caller waits for it. */
export interface Follower {
  /**
   * Resolves when all records that were acknowledged before the call are delivered. Waits while the target is down.
   *
   * @throws errors that waiting does not resolve: AuditFollowersError `ERR_AUDIT_FOLLOWERS_DELIVERY_REFUSED`, `ERR_AUDIT_FOLLOWERS_FILE_DAMAGED`,
   * `ERR_AUDIT_FOLLOWERS_FILE_MISSING`, `ERR_AUDIT_FOLLOWERS_CURSOR`, `ERR_AUDIT_FOLLOWERS_CLOSED`, and errors of the file system
   */
  caughtUp(): Promise<void>;
  /** Stops, and closes the target. The next follower with the same cursor delivers the remaining lines. */
  close(): Promise<void>;
}

export interface LoopOptions {
  readonly dir: string;
  readonly target: FollowerTarget;
  readonly cursor: Cursor;
  readonly pollMs: number;
  readonly limits: BatchLimits;
  readonly report: (error: unknown) => void;
}

/** Reads the files of a directory again and again, and delivers one batch at a time. */
export class FollowLoop implements Follower {
  readonly #options: LoopOptions;
  readonly #files: FollowedFiles;
  readonly #waiters = new Waiters();
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #pausing = new AbortController();
  #closed: Promise<void> | undefined;

  constructor(options: LoopOptions) {
    this.#options = options;
    this.#files = new FollowedFiles(options.dir);
    this.#running = this.#run();
  }

  caughtUp(): Promise<void> {
    const answer = this.#waiters.ask();
    if (this.#closed) this.#waiters.fail(closed());
    this.#pausing.abort();
    return answer;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort(closed());
    this.#pausing.abort();
    await this.#running;
    this.#waiters.fail(closed());
    await this.#options.target.close();
  }

  async #run(): Promise<void> {
    const { pollMs, report } = this.#options;
    for (let failures = 0; !this.#closing.signal.aborted; ) {
      this.#waiters.begin();
      const problems: unknown[] = [];
      const damaged = await this.#pass((error) => problems.push(error));
      if (this.#closing.signal.aborted) return;
      for (const problem of problems) report(problem);
      failures = problems.length === 0 ? 0 : failures + 1;
      this.#waiters.end(problems[0] ?? damaged);
      if (!this.#waiters.any) await this.#pause(failures === 0 ? pollMs : Math.max(pollMs, backoff(failures)));
    }
  }

  /** Delivers new lines. Returns the damage of a file that was already known to be damaged. */
  async #pass(fail: (error: unknown) => void): Promise<unknown> {
    const { files, gone } = await this.#look().catch((error: unknown): Looked => {
      fail(error);
      return { files: [], gone: [] };
    });
    for (const file of gone) if (file.isBehind) fail(lost(file));
    const damaged = files.find(({ damage }) => damage !== undefined)?.damage;
    for (const file of files) {
      if (file.damage !== undefined) continue;
      await this.#follow(file).catch((error: unknown) => {
        // The file was deleted since the directory was read. The next read detects it.
        if (!isGone(error)) fail(error);
      });
    }
    return damaged;
  }

  async #look(): Promise<Looked> {
    const { cursor } = this.#options;
    const { signal } = this.#closing;
    const looked = await this.#files.look((names) => this.#insist(() => cursor.positions(names, signal)));
    if (looked.files.length > 0) cursor.keep(looked.files.map(({ name }) => name));
    return looked;
  }

  async #follow(file: FollowedFile): Promise<void> {
    const { target, cursor, limits, report } = this.#options;
    const context = { signal: this.#closing.signal, report };
    const odd = await file.checkPosition();
    if (odd) report(odd);
    for await (const batch of file.batches(limits)) {
      await this.#insist(() => target.deliver(batch, context));
      await this.#insist(() => cursor.advance(batch));
      file.position = batch.end;
    }
  }

  /** Retries until the function succeeds, so that nothing is skipped. Rejects only if the follower is closed. */
  async #insist<T>(act: () => Promise<T>): Promise<T> {
    const { signal } = this.#closing;
    for (let failures = 1; ; failures++) {
      signal.throwIfAborted();
      try {
        return await act();
      } catch (error) {
        signal.throwIfAborted();
        this.#options.report(error);
        const lasting = AuditFollowersError.is(error) && error.code !== "ERR_AUDIT_FOLLOWERS_DELIVERY_FAILED";
        if (lasting) this.#waiters.fail(error);
        await this.#pause(lasting ? LONGEST_MS : backoff(failures));
      }
    }
  }

  /** Waits. Ends early if a caller waits or the follower is closed. */
  async #pause(milliseconds: number): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#pausing = new AbortController();
    const { signal } = this.#pausing;
    await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => {});
  }
}

const closed = (): AuditFollowersError =>
  new AuditFollowersError("ERR_AUDIT_FOLLOWERS_CLOSED", "The follower was closed.");

const lost = ({ name, bytes, position }: FollowedFile): AuditFollowersError =>
  new AuditFollowersError(
    "ERR_AUDIT_FOLLOWERS_FILE_MISSING",
    `${name} was deleted after delivery up to byte ${position.bytes} of ${bytes}. Delete files only after followers have caught up.`,
  );
