import type { PiiPlace } from "../errors.js";
import type { Replace } from "../rules/strategies/context.js";
import { mask } from "../rules/strategies/mask.js";
import type { CompiledRule } from "../scan/rule.js";

/** The place where something was found. Never what. */
export interface Place extends PiiPlace {
  readonly file: string;
}

/** The findings of a run: counts what was found, and tells where if somebody listens, with what the mask of its type leaves of it. */
export class Findings {
  readonly #counts = new Map<string, number>();
  readonly #masks = new Map<CompiledRule, Replace>();
  readonly #tell: ((line: string) => void) | undefined;
  #all = 0;

  constructor(tell?: (line: string) => void) {
    this.#tell = tell;
  }

  add(rule: CompiledRule, value: string, place: () => Place): void {
    const { type } = rule;
    this.#all++;
    this.#counts.set(type, (this.#counts.get(type) ?? 0) + 1);
    if (this.#tell === undefined) return;
    const { file, line, column, path } = place();
    const at = path === undefined ? "" : ` at ${path}`;
    this.#tell(`${file}:${line}:${column}: ${type} ${this.#masked(rule, value)}${at}\n`);
  }

  /** Whether somebody wants to hear where something is: then nothing ends at the first. */
  get listening(): boolean {
    return this.#tell !== undefined;
  }

  /** The number of all findings. */
  get all(): number {
    return this.#all;
  }

  /** A line per type, most frequent first. */
  report(): string {
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
    // Of a value of one's own, or one that hides in other characters, a mask may leave anything.
    return masked.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "?");
  }
}
