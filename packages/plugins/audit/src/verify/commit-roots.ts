import { fromBase64, toBase64 } from "@suite/kit";

const ROOT_BYTES = 32;

/** The roots of a file after each commit, by number of records. Takes 40 bytes per commit. */
export class CommitRoots {
  #sizes = new Float64Array(64);
  #roots = new Uint8Array(64 * ROOT_BYTES);
  #count = 0;

  /** @param size larger than the previous one */
  add(size: number, root: string): void {
    if (this.#count === this.#sizes.length) this.#grow();
    this.#sizes[this.#count] = size;
    this.#roots.set(fromBase64(root) ?? [], this.#count * ROOT_BYTES);
    this.#count++;
  }

  /** Returns the root in base64. Returns `undefined` if no commit ended at that size. */
  at(size: number): string | undefined {
    let low = 0;
    for (let high = this.#count; low < high; ) {
      const middle = (low + high) >> 1;
      if ((this.#sizes[middle] as number) < size) low = middle + 1;
      else high = middle;
    }
    if (low === this.#count || this.#sizes[low] !== size) return undefined;
    return toBase64(this.#roots.subarray(low * ROOT_BYTES, (low + 1) * ROOT_BYTES));
  }

  /** Releases unused memory. Called after the last commit. */
  trim(): void {
    this.#sizes = this.#sizes.slice(0, this.#count);
    this.#roots = this.#roots.slice(0, this.#count * ROOT_BYTES);
  }

  #grow(): void {
    const sizes = new Float64Array(2 * this.#sizes.length + 64);
    const roots = new Uint8Array(sizes.length * ROOT_BYTES);
    sizes.set(this.#sizes);
    roots.set(this.#roots);
    this.#sizes = sizes;
    this.#roots = roots;
  }
}
