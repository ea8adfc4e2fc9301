import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach } from "@jest/globals";
import { type FollowOptions, follow } from "../../src/follow/follow.js";
import type { Follower } from "../../src/follow/loop.js";
import type { FollowerBatch, FollowerTarget } from "../../src/follow/target.js";

/** A target in memory. */
export class Collecting implements FollowerTarget {
  readonly name = "memory";
  readonly batches: FollowerBatch[] = [];
  closed = 0;
  /** Runs before a batch is taken: may wait, or throw. */
  before: (batch: FollowerBatch, signal: AbortSignal) => unknown = () => {};

  async deliver(batch: FollowerBatch, { signal }: { signal: AbortSignal }): Promise<void> {
    await this.before(batch, signal);
    this.batches.push(batch);
  }

  async close(): Promise<void> {
    this.closed++;
  }

  /** Every line, in the order it came. */
  get lines(): string[] {
    return this.batches.flatMap(({ lines }) => lines.map(({ text }) => text));
  }

  linesOf(name: string): string[] {
    return this.batches.filter(({ file }) => file === name).flatMap(({ lines }) => lines.map(({ text }) => text));
  }
}

const open: Follower[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((follower) => follower.close()));
});

/** Follows with a short poll; what goes wrong is collected. Closed after the test. */
export function following(dir: string, target: FollowerTarget, options: FollowOptions = {}) {
  const errors: unknown[] = [];
  const follower = follow(dir, target, { pollMs: 5, onError: (error) => errors.push(error), ...options });
  open.push(follower);
  return { follower, errors, codes: () => errors.map((error) => (error as { code?: unknown }).code) };
}

/** Once, from where the cursor is to the end of what is there. */
export async function followOnce(dir: string, target: FollowerTarget, options: FollowOptions = {}) {
  const { follower, codes } = following(dir, target, options);
  const failed = await follower.caughtUp().then(
    () => undefined,
    (error: { code?: unknown }) => error.code,
  );
  await follower.close();
  return { failed, codes: codes() };
}

/** The lines of a file up to its last checkpoint. */
export async function coveredLines(dir: string, name: string): Promise<string[]> {
  const lines = (await readFile(join(dir, name), "utf8")).split("\n").slice(0, -1);
  return lines.slice(0, lines.findLastIndex((line) => line.startsWith('"')) + 1);
}
