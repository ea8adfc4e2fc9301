import { readIfThere, replace } from "@suite/audit/internal";
import { AuditFollowersError } from "../errors.js";
import type { Cursor } from "./cursor.js";
import type { FollowerBatch, Position } from "./target.js";

/**
 * A cursor in a file, which is replaced durably after each batch. If two followers share a cursor, each writes its
 * position. Then lines may be sent twice, but none is skipped.
 */
export class CursorFile implements Cursor {
  readonly #path: string;
  #known: Map<string, Position> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** @throws AuditFollowersError `ERR_AUDIT_FOLLOWERS_CURSOR` */
  async positions(): Promise<ReadonlyMap<string, Position>> {
    this.#known ??= parse(await this.#load(), this.#path);
    return this.#known;
  }

  /** @throws AuditFollowersError `ERR_AUDIT_FOLLOWERS_CURSOR` */
  async advance({ file, end }: FollowerBatch): Promise<void> {
    this.#known ??= new Map();
    this.#known.set(file, end);
    const text = `${JSON.stringify({ version: 1, files: Object.fromEntries(this.#known) })}\n`;
    try {
      await replace(this.#path, text);
    } catch (cause) {
      throw failure("cannot be written. Choose another path with `cursor` or --cursor.", this.#path, cause);
    }
  }

  keep(files: readonly string[]): void {
    const there = new Set(files);
    for (const file of this.#known?.keys() ?? []) if (!there.has(file)) this.#known?.delete(file);
  }

  async #load(): Promise<string | undefined> {
    try {
      return await readIfThere(this.#path);
    } catch (cause) {
      throw failure("cannot be read.", this.#path, cause);
    }
  }
}

function parse(text: string | undefined, path: string): Map<string, Position> {
  if (text === undefined) return new Map();
  try {
    const { version, files } = JSON.parse(text) as { version?: unknown; files?: Record<string, Position> };
    const entries = Object.entries(files ?? {});
    if (version === 1 && files && entries.every(([, position]) => isPosition(position))) return new Map(entries);
  } catch {}
  throw failure("is not a cursor file. If you move it away, all records are delivered again.", path);
}

const isPosition = ({ bytes, records, checkpoint }: Position): boolean =>
  Number.isSafeInteger(bytes) &&
  Number.isSafeInteger(records) &&
  (checkpoint === undefined || typeof checkpoint === "string");

const failure = (what: string, path: string, cause?: unknown): AuditFollowersError =>
  new AuditFollowersError("ERR_AUDIT_FOLLOWERS_CURSOR", `The cursor ${path} ${what}`, { cause });
