import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { leafHash, nodeHash } from "../proofs/hashing.js";
import type { Sha256 } from "../signing/cryptography.js";

/** The number of hashes in a tile, and of entries in a bundle. */
const WIDTH = 256;

/**
 * Writes the tiles of a tree and the bundles of its entries (https://c2sp.org/tlog-tiles), entry by entry. Keeps one
 * tile per level and one bundle in memory.
 */
export class TileWriter {
  readonly #dir: string;
  readonly #sha256: Sha256;
  /** The current tile of each level. */
  readonly #levels: Tile[] = [];
  readonly #entries: Tile = { number: 0, parts: [] };

  /** @param dir the parent of `tile/`; existing files are never overwritten */
  constructor(dir: string, sha256: Sha256) {
    this.#dir = dir;
    this.#sha256 = sha256;
  }

  /** Adds an entry of at most 65,535 bytes, the limit of its length field. */
  async append(entry: Uint8Array): Promise<void> {
    const length = Uint8Array.of(entry.length >> 8, entry.length & 0xff);
    this.#entries.parts.push(Buffer.concat([length, entry]));
    if (this.#entries.parts.length === WIDTH) await this.#write("entries", this.#entries);
    await this.#add(0, leafHash(entry, this.#sha256));
  }

  /** Writes the partial tiles. */
  async end(): Promise<void> {
    if (this.#entries.parts.length > 0) await this.#write("entries", this.#entries);
    for (const [level, tile] of this.#levels.entries()) {
      if (tile.parts.length > 0) await this.#write(String(level), tile);
    }
  }

  async #add(level: number, hash: Uint8Array): Promise<void> {
    this.#levels[level] ??= { number: 0, parts: [] };
    const tile = this.#levels[level];
    tile.parts.push(hash);
    if (tile.parts.length < WIDTH) return;
    const top = this.#rootOf(tile.parts);
    await this.#write(String(level), tile);
    await this.#add(level + 1, top);
  }

  async #write(folder: string, tile: Tile): Promise<void> {
    const path = join(this.#dir, "tile", folder, tilePath(tile.number, tile.parts.length));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, Buffer.concat(tile.parts), { flag: "wx" });
    tile.number++;
    tile.parts = [];
  }

  /** Returns the hash over a full tile. */
  #rootOf(hashes: readonly Uint8Array[]): Uint8Array {
    let row = hashes;
    while (row.length > 1) {
      row = Array.from({ length: row.length / 2 }, (_, i) =>
        nodeHash(row[2 * i] as Uint8Array, row[2 * i + 1] as Uint8Array, this.#sha256),
      );
    }
    return row[0] as Uint8Array;
  }
}

interface Tile {
  number: number;
  parts: Uint8Array[];
}

/**
 * Returns the path of a tile: its number in groups of three digits, all but the last with an x, as `x001/x234/067`. A
 * partial tile has its number of hashes appended.
 */
export function tilePath(number: number, width: number): string {
  const groups: string[] = [];
  let rest = number;
  do {
    groups.unshift(String(rest % 1000).padStart(3, "0"));
    rest = Math.floor(rest / 1000);
  } while (rest > 0);
  const path = groups.map((group, i) => (i < groups.length - 1 ? `x${group}` : group)).join("/");
  return width === WIDTH ? path : `${path}.p/${width}`;
}
