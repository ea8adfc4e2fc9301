import { isGone, listLogFiles } from "@suite/audit/internal";
import { FollowedFile } from "./followed-file.js";
import type { Position } from "./target.js";

/** The files found by one read of the directory. */
export interface Looked {
  /** The existing files, oldest name first. */
  readonly files: readonly FollowedFile[];
  /** The files that were deleted, for example by retention. */
  readonly gone: readonly FollowedFile[];
}

/** The log files of a directory, which are added and deleted over time. */
export class FollowedFiles {
  readonly #dir: string;
  #known: ReadonlyMap<string, FollowedFile> = new Map();

  constructor(dir: string) {
    this.#dir = dir;
  }

  /**
   * Lists the directory. Returns its log files, and those that were deleted since the last call.
   *
   * @param positionsOf returns the positions of new files
   */
  async look(positionsOf: (names: readonly string[]) => Promise<ReadonlyMap<string, Position>>): Promise<Looked> {
    const listed = await this.#list();
    // An empty directory may be one that is not mounted at the moment.
    if (listed.length === 0) return { files: [], gone: [] };
    const come = listed.map(({ name }) => name).filter((name) => !this.#known.has(name));
    const positions = come.length === 0 ? new Map<string, Position>() : await positionsOf(come);
    const files = listed.map(({ name, bytes }) => {
      const file = this.#known.get(name) ?? new FollowedFile(this.#dir, name, positions.get(name));
      file.bytes = bytes;
      return file;
    });
    const there = new Map(files.map((file) => [file.name, file]));
    const gone = [...this.#known.values()].filter(({ name }) => !there.has(name));
    this.#known = there;
    return { files, gone };
  }

  async #list() {
    try {
      return await listLogFiles(this.#dir);
    } catch (error) {
      // The first record creates the directory.
      if (isGone(error)) return [];
      throw error;
    }
  }
}
