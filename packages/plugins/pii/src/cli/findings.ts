import type { PiiPlace } from "../errors.js";
import type { Replace } from "../rules/strategies/context.js";
import { mask } from "../rules/strategies/mask.js";
import type { CompiledRule } from "../scan/rule.js";

/** The place of a finding, without its value. */
export interface Place extends PiiPlace {
  readonly file: string;
}

/** The findings of a run. Counts them, and reports the place and the masked value of each if there is a listener. */
export class Findings {
  readonly #counts = new Map<string, number>();
  readonly #masks = new Map<CompiledRule, Replace>();
  readonly #report: ((line: string) => void) | undefined;
  readonly #json: boolean;
  #all = 0;

  /** @param json True to report each finding, and the counts, as a line of JSON. */
  constructor(report?: (line: string) => void, json = false) {
    this.#report = report;
    this.#json = json;
  }

  add(rule: CompiledRule, value: string, place: () => Place): void {
    const { type } = rule;
    this.#all++;
    this.#counts.set(type, (this.#counts.get(type) ?? 0) + 1);
    if (this.#report === undefined) return;
    const { file, line, column, path } = place();
    if (this.#json) {
      const masked = this.#masked(rule, value);
      this.#report(`${JSON.stringify({ file, line, column, type, masked, ...(path !== undefined && { path }) })}\n`);
      return;
    }
    const at = path === undefined ? "" : ` at ${path}`;
    this.#report(`${file}:${line}:${column}: ${type} ${this.#masked(rule, value)}${at}\n`);
  }

  /** True if places are reported: then the run does not stop at the first finding. */
  get listening(): boolean {
    return this.#report !== undefined;
  }

  /** The number of all findings. */
  get all(): number {
    return this.#all;
  }

  /** A line per type, most frequent first, or one line of JSON. */
  report(): string {
    if (this.#json) return `${JSON.stringify({ counts: Object.fromEntries(this.#counts) })}\n`;
    if (this.#all === 0) return "nothing found\n";
    const rows = [...this.#counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
    const width = Math.max(...rows.map(([, count]) => String(count).length));
    return rows.map(([type, count]) => `${String(count).padStart(width)} ${type}\n`).join("");
  }

  #masked(rule: CompiledRule, value: string): string {
    const { type, recogniser } = rule;
    const masking = this.#masks.get(rule) ?? mask({ type, hashKey: undefined, mask: recogniser?.mask });
    this.#masks.set(rule, masking);
    const masked = masking({ type, start: 0, end: value.length, score: 1, value });
    // The mask of a custom value, or of a value hidden in other characters, may leave control characters.
    return masked.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "?");
  }
}
