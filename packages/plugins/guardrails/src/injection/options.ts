import { isObject } from "@suite/kit";
import { type Check, common, count, listOf, name, oneOf } from "@suite/kit/options";
import type { GuardOptions } from "../options.js";
import type { GuardAction, Judged } from "../texts/guard.js";
import { type Detected, detectInjection, withoutFindings } from "./detect.js";

/** The options of the guards that look for injected instructions. */
export interface InjectionOptions extends GuardOptions {
  /**
   * `block` (default): withholds the whole content. `redact`: removes instruction sentences, hidden text and links; if
   * the rest still has findings, it is withheld. `flag`: passes the content and reports it.
   */
  readonly action?: GuardAction;
  /** The minimum score for an action, from 0 to 1. Default: 0.5. */
  readonly threshold?: number;
  /**
   * The maximum number of characters of one string. A longer one is withheld, or with `redact` cut. Default: 1,000,000.
   */
  readonly maxCharacters?: number;
  /** Hosts whose links are trusted, with those below them. */
  readonly allowedHosts?: readonly string[];
  /** Replaces the built-in rules, for example by a custom synchronous model. If it throws, `onFailure` applies. */
  readonly detect?: (text: string) => Detected;
  /** Behavior if a value cannot be read or detection throws. Default: `closed`, the value is withheld. */
  readonly onFailure?: "closed" | "open";
}

const share: Check = (value) =>
  typeof value === "number" && value > 0 && value <= 1 ? undefined : "a number above 0, and 1 at most";

/** The checks of those options. */
export const injectionChecks = {
  ...common,
  action: oneOf("block", "redact", "flag"),
  threshold: share,
  maxCharacters: count,
  allowedHosts: listOf(name),
  detect: (value: unknown) => (typeof value === "function" ? undefined : "a function"),
  onFailure: oneOf("closed", "open"),
};

/** Returns a function that judges strings according to the options. */
export function judgeOf(options: InjectionOptions): (text: string) => Judged | undefined {
  const { threshold = 0.5, maxCharacters = 1_000_000, allowedHosts = [], action = "block" } = options;
  const custom = options.detect;
  const hosts = allowedHosts.map((host) => host.toLowerCase());
  const builtIn = (text: string): Detected => detectInjection(text, { allowedHosts: hosts });
  const detect = (text: string): Detected => {
    const detected = (custom ?? builtIn)(text);
    if (isObject(detected) && typeof detected.score === "number" && !Number.isNaN(detected.score)) return detected;
    throw new TypeError("detect() gives a score and findings.");
  };
  return (text) => {
    if (text.length < shortest) return undefined;
    const { score, findings } = detectSize(text, maxCharacters) ?? detect(text);
    if (score < threshold) return undefined;
    const types: Record<string, number> = {};
    for (const { type } of findings) types[type] = (types[type] ?? 0) + 1;
    if (findings.length === 0) types.instructions = 1;
    if (action !== "redact" || findings.length === 0) return { findings: types };
    const clean = withoutFindings(text, findings);
    return { findings: types, clean: detect(clean).score < threshold ? clean : undefined };
  };
}

/** Shorter strings cannot contain instructions. Most strings in a value are that short. */
const shortest = 8;

function detectSize(text: string, maxCharacters: number): Detected | undefined {
  return text.length > maxCharacters ? detectInjection(text, { maxCharacters }) : undefined;
}
