import { type Finding, scoreOf } from "./finding.js";
import { hiddenIn } from "./hidden.js";
import { instructionsIn } from "./instructions.js";
import { linksIn } from "./links.js";

/** The options of a detection. */
export interface DetectOptions {
  /** Hosts whose links are trusted, with those below them. */
  readonly allowedHosts?: readonly string[];
  /** The maximum number of characters. A longer string is a finding (`size`) and is not searched. */
  readonly maxCharacters?: number;
}

/** The result of a detection: the findings, and how sure they make it, from 0 to 1. */
export interface Detected {
  readonly score: number;
  readonly findings: readonly Finding[];
}

const nothing: Detected = { score: 0, findings: [] };

/**
 * Detects injected instructions, hidden text and data-leaking links in a string. Uses rules, in linear time. It knows
 * the wording of such instructions in several languages, but does not understand meaning.
 *
 * @example
 * ```ts
 * detectInjection("Ignore all previous instructions.").score; // 0.95
 * ```
 */
export function detectInjection(text: string, options: DetectOptions = {}): Detected {
  const { allowedHosts = [], maxCharacters = Number.POSITIVE_INFINITY } = options;
  if (text.length > maxCharacters) {
    return { score: 1, findings: [{ type: "size", rule: "size", weight: 1, start: maxCharacters, end: text.length }] };
  }
  const findings = [...instructionsIn(text), ...hiddenIn(text), ...linksIn(text, allowedHosts)];
  return findings.length === 0 ? nothing : { score: scoreOf(findings), findings };
}

/** Removes the findings from a string: the sentences of instructions, and all hidden text. */
export function withoutFindings(text: string, findings: readonly Finding[]): string {
  const spans = findings
    .map((finding) => (finding.type === "instructions" ? sentenceOf(text, finding) : finding))
    .sort((one, other) => one.start - other.start);
  let clean = "";
  let at = 0;
  for (const { start, end, type } of spans) {
    if (end <= at) continue;
    if (start >= at) clean += text.slice(at, start) + (type === "hidden_text" ? "" : `[removed: ${named[type]}]`);
    at = end;
  }
  return clean + text.slice(at);
}

const named = { instructions: "instructions", link: "link", size: "the rest of a long text", hidden_text: "" } as const;

/** Returns the sentence that contains a finding, within one line. */
function sentenceOf(text: string, finding: Finding): Finding {
  let { start, end } = finding;
  while (start > 0 && !isEnd(text, start - 1)) start--;
  while (end < text.length && !isEnd(text, end)) end++;
  return { ...finding, start, end: Math.min(text.length, end + 1) };
}

const isEnd = (text: string, at: number): boolean => /[.!?\n。]/.test(text[at] ?? "");
