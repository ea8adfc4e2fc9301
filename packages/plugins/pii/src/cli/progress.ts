const MB = 1e6;
/** Milliseconds between two lines, and before the first one: a fast run prints none. */
const SELDOM = 500;

/** The progress of reading a file, on a terminal's standard error. */
export class Progress {
  readonly #name: string;
  readonly #size: number | undefined;
  readonly #start = performance.now();
  #shown = this.#start;
  #bytes = 0;

  constructor(name: string, size: number | undefined) {
    this.#name = name;
    this.#size = size;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
    const now = performance.now();
    if (process.stderr.isTTY !== true || now - this.#shown < SELDOM) return;
    this.#shown = now;
    const share = this.#size === undefined ? "" : ` of ${Math.round(this.#size / MB)} MB`;
    const speed = Math.round(this.#bytes / MB / ((now - this.#start) / 1000));
    process.stderr.write(`\r\x1b[K${this.#name}: ${Math.round(this.#bytes / MB)} MB${share}, ${speed} MB/s`);
  }

  /** Leaves nothing of the line. */
  end(): void {
    if (this.#shown !== this.#start) process.stderr.write("\r\x1b[K");
  }
}
