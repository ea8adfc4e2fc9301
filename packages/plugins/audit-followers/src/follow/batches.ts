import { decodeCheckpoint } from "@suite/audit/internal";
import type { FollowedLine, FollowerBatch, Position } from "./target.js";

/** The limits of one batch. */
export interface BatchLimits {
  /** The bytes of lines as stored. A larger line is sent alone. */
  readonly bytes: number;
  readonly lines: number;
}

/** Collects the lines of one file into batches. */
export class Batches {
  readonly #file: string;
  readonly #limits: BatchLimits;
  #from: Position;
  #lines: FollowedLine[] = [];

  constructor(file: string, from: Position, limits: BatchLimits) {
    this.#file = file;
    this.#from = from;
    this.#limits = limits;
  }

  /** Adds a line. Returns the previous batch if it was full. */
  add(line: FollowedLine): FollowerBatch | undefined {
    const isFull =
      this.#lines.length >= this.#limits.lines ||
      (this.#lines.length > 0 && line.end - this.#from.bytes > this.#limits.bytes);
    const full = isFull ? this.take() : undefined;
    this.#lines.push(line);
    return full;
  }

  /** Returns the batch of the remaining lines, or `undefined` without lines. */
  take(): FollowerBatch | undefined {
    const last = this.#lines.at(-1);
    if (last === undefined) return undefined;
    const checkpoint = this.#lines.findLast(({ kind }) => kind === "checkpoint");
    const note = checkpoint === undefined ? this.#from.checkpoint : decodeCheckpoint(checkpoint.text);
    const end: Position = {
      bytes: last.end,
      records: last.kind === "record" ? last.index + 1 : last.index,
      ...(note !== undefined && { checkpoint: note }),
    };
    const batch = { file: this.#file, lines: this.#lines, end };
    this.#lines = [];
    this.#from = end;
    return batch;
  }
}
