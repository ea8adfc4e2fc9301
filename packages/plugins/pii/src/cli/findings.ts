/** Where something was found. Never what. */
export interface Place {
  readonly file: string;
  readonly line: number;
  /** In JSON: the path to the field. */
  readonly path?: string | undefined;
}

/** Counts what was found, and tells where if somebody listens. */
export class Findings {
  readonly #counts = new Map<string, number>();
  readonly #tell: ((line: string) => void) | undefined;

  constructor(tell?: (line: string) => void) {
    this.#tell = tell;
  }

  add(type: string, { file, line, path }: Place): void {
    this.#counts.set(type, (this.#counts.get(type) ?? 0) + 1);
    this.#tell?.(`${file}:${line}: ${type}${path === undefined ? "" : ` at ${path}`}\n`);
  }

  get any(): boolean {
    return this.#counts.size > 0;
  }

  /** A line per type, most frequent first. */
  report(): string {
    if (!this.any) return "nothing found\n";
    const rows = [...this.#counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
    const width = Math.max(...rows.map(([, count]) => String(count).length));
    return rows.map(([type, count]) => `${String(count).padStart(width)} ${type}\n`).join("");
  }
}
