import type { CallId, RuntimeContext } from "@suite/core";
import type { GuardrailNotification } from "@suite/core/contract";
import { GuardrailsError } from "../errors.js";
import { rewriteTexts } from "./rewrite.js";

/** The result of checking one string: the findings, and the string without them. */
export interface Judged {
  /** The number of findings of each type. */
  readonly findings: Readonly<Record<string, number>>;
  /** The string without the findings, or `undefined` if they cannot be removed. */
  readonly clean?: string | undefined;
}

/**
 * The action on a finding. `block`: withholds the whole content. `redact`: removes the finding. `flag`: passes
 * the content and reports it.
 */
export type GuardAction = "block" | "redact" | "flag";

/** The place that a guard checks, and its call. */
export interface At {
  readonly place: GuardrailNotification["place"];
  readonly runtime: RuntimeContext;
  readonly call?: CallId | undefined;
  /** Details reported with a decision. */
  readonly details?: Readonly<Record<string, string | number>>;
}

/** The result for a value: itself, another in its place, or nothing that may pass. */
export type Passed = { readonly blocked: false; readonly value: unknown } | { readonly blocked: true };

/** The options of a text guard. */
export interface TextGuardOptions {
  readonly name: string;
  readonly action: GuardAction;
  readonly enforced: boolean;
  /** Behavior if a value cannot be read or judging throws. */
  readonly onFailure: "closed" | "open";
  /** Judges one text. */
  judge(text: string): Judged | undefined;
}

/** Judges all strings of a value, decides, and reports the decision. */
export class TextGuard {
  readonly #options: TextGuardOptions;

  constructor(options: TextGuardOptions) {
    this.#options = options;
  }

  /** The part of a value that may pass. */
  look(value: unknown, at: At): Passed {
    const { action, enforced, onFailure, judge } = this.#options;
    const findings: Record<string, number> = Object.create(null);
    let stubborn = false;
    let failed = false;
    const { value: clean, unreadable } = rewriteTexts(value, (text) => {
      let judged: Judged | undefined;
      try {
        judged = judge(text);
      } catch {
        failed = true;
      }
      if (judged === undefined) return text;
      for (const [type, count] of Object.entries(judged.findings)) findings[type] = (findings[type] ?? 0) + count;
      if (judged.clean === undefined) stubborn = true;
      return judged.clean ?? text;
    });
    const found = Object.keys(findings).length > 0;
    if (unreadable || failed) {
      this.#notify(onFailure === "open" ? "fail_open" : "fail_closed", at);
      if (enforced && onFailure === "closed") return { blocked: true };
    }
    if (!found) return { blocked: false, value };
    const decision = action === "flag" ? "flag" : action === "block" || stubborn ? "block" : "modify";
    this.#notify(decision, at, findings);
    if (!enforced || decision === "flag") return { blocked: false, value };
    return decision === "block" ? { blocked: true } : { blocked: false, value: clean };
  }

  #notify(
    decision: GuardrailNotification["decision"] | "flag",
    at: At,
    findings?: Readonly<Record<string, number>>,
  ): void {
    const { place, runtime, call, details } = at;
    const { name: plugin, enforced } = this.#options;
    const notification = { plugin, enforced, place, ...(call && { call }), ...(details && { details }) };
    if (decision === "flag")
      runtime.notify({ type: "decision", decision, ...notification, details: { ...details, ...findings } });
    else runtime.notify({ type: "guardrail", decision, ...notification, ...(findings && { findings }) });
  }
}

/** Creates the error of a guard that ends a run or a call because of a finding. */
export const blocked = (name: string, place: string): GuardrailsError =>
  new GuardrailsError(
    "ERR_GUARDRAILS_BLOCKED",
    `${name} blocked content in ${place}. The content is not repeated here.`,
  );
