import type { AsyncRecogniser } from "./async-recogniser.js";
import type { Label } from "./labels.js";
import type { Match, Recogniser, Walker } from "./recogniser.js";

/** A finding, as a strategy function sees it. */
export interface Finding extends Match {
  readonly value: string;
}

/** A rule as it runs. Its place in the list is its order. */
export interface CompiledRule {
  readonly type: string;
  readonly order: number;
  readonly blocks: boolean;
  readonly tokenizes: boolean;
  /** Looks at triggers, or walks by itself. */
  readonly recogniser?: Recogniser;
  /** @param ignored Called if the recogniser failed and its rule ignores failures. */
  readonly walker?: (ignored: () => void) => Walker;
  /** Finds what always is of this type. */
  readonly denied?: () => Walker;
  /** Returns true if a value is excluded from this type. */
  readonly allowed?: (value: string) => boolean;
  /** The recogniser that has to be waited for. `walker` then throws. */
  readonly async?: AsyncRecogniser;
  /** The minimum score that counts. */
  readonly threshold: number;
  /** True if the text around a match affects its score. */
  readonly weighed: boolean;
  readonly labels?: Readonly<Partial<Record<Label, number>>> | undefined;
  /** The maximum amount that words before a match can add to its score. */
  readonly most?: number;
  /** The user's context words. */
  readonly context?: RegExp | undefined;
  /** False if the rule refuses streams. */
  readonly streams: boolean;
  replace(finding: Finding): string;
}
