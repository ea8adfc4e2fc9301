import type { CallId, GuardrailNotification, RuntimeContext } from "@suite/core";
import { GuardrailsError } from "../errors.js";
import { rewriteTexts } from "./rewrite.js";

/** The judgement of one text: whether there is something wrong with it, and the text without that. */
export interface Judged {
  /** The number of findings of each type; empty where nothing was found. */
  readonly findings: Readonly<Record<string, number>>;
  /** The text without what was found; undefined where it cannot be taken out. */
  readonly clean?: string | undefined;
}

/**
 * The action of a guard on what it finds: `block` withholds the whole, `redact` takes it out, `flag` lets it pass and
 * tells it.
 */
export type GuardAction = "block" | "redact" | "flag";

/** The place at which a guard looks, and the call for which it does. */
export interface At {
  readonly place: GuardrailNotification["place"];
  readonly runtime: RuntimeContext;
  readonly call?: CallId | undefined;
  /** Facts that are told with a decision. */
  readonly details?: Readonly<Record<string, string | number>>;
}

/** The result for a value: itself, another in its place, or nothing that may pass. */
export type Passed = { readonly blocked: false; readonly value: unknown } | { readonly blocked: true };

/** The options that a guard of texts has. */
export interface TextGuardOptions {
  readonly name: string;
  readonly action: GuardAction;
  readonly enforced: boolean;
  /** The fail mode, where a value cannot be read, or judging throws. */
  readonly onFailure: "closed" | "open";
  /** Judges one text. */
  judge(text: string): Judged | undefined;
}

/** A guard of texts: judges all texts of a value, decides, and tells what it decided. */
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
      this.#tell(onFailure === "open" ? "fail_open" : "fail_closed", at);
      if (enforced && onFailure === "closed") return { blocked: true };
    }
    if (!found) return { blocked: false, value };
    const decision = action === "flag" ? "flag" : action === "block" || stubborn ? "block" : "modify";
    this.#tell(decision, at, findings);
    if (!enforced || decision === "flag") return { blocked: false, value };
    return decision === "block" ? { blocked: true } : { blocked: false, value: clean };
  }

  #tell(
    decision: GuardrailNotification["decision"] | "flag",
    at: At,
    findings?: Readonly<Record<string, number>>,
  ): void {
    const { place, runtime, call, details } = at;
    const { name: plugin, enforced } = this.#options;
    const told = { plugin, enforced, place, ...(call && { call }), ...(details && { details }) };
    if (decision === "flag")
      runtime.notify({ type: "decision", decision, ...told, details: { ...details, ...findings } });
    else runtime.notify({ type: "guardrail", decision, ...told, ...(findings && { findings }) });
  }
}

/** The error of a guard that ends a run, or a call, because of what it found. */
export const blocked = (name: string, place: string): GuardrailsError =>
  new GuardrailsError("ERR_GUARDRAILS_BLOCKED", `${name} blocked what it found in ${place}. It is not repeated here.`);
