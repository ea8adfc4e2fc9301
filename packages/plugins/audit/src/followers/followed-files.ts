import { isGone } from "../files/errors.js";
import { listLogFiles } from "../log/directory.js";
import { FollowedFile } from "./followed-file.js";
import type { Position } from "./target.js";

/** The files that a look at the directory found. */
export interface Looked {
  /** The files that are there, oldest name first. */
  readonly files: readonly FollowedFile[];
  /** The files that are not there any more: retention deletes whole ones. */
  readonly gone: readonly FollowedFile[];
}

/** The log files of a directory, as they come and go. */
export class FollowedFiles {
  readonly #dir: string;
  #known: ReadonlyMap<string, FollowedFile> = new Map();

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** @param positionsOf gives the positions of files that were not there before. */
  async look(positionsOf: (names: readonly string[]) => Promise<ReadonlyMap<string, Position>>): Promise<Looked> {
    const listed = await this.#list();
    // An empty directory may be one that is not mounted just now.
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
      // The first record makes the directory.
      if (isGone(error)) return [];
      throw error;
    }
  }
}
