import type { Redactor } from "@suite/core";
import type { ReplaceValue } from "@suite/core/contract";
import { asyncRedactorOf } from "./async/redactor.js";
import { isClean } from "./clean.js";
import type { Engine, Treatment } from "./engine.js";
import { before } from "./field.js";
import { type PiiRedactor, redactorOf, refuseUnstreamable } from "./redactor.js";
import { CleanTexts, rememberingText } from "./remembering.js";
import { Tally } from "./tally.js";
import { treatValue } from "./value.js";

/** The text that is emitted in place of something that could not be looked through. */
const withheld = "[REDACTED]";

/**
 * The redactor for what leaves through telemetry and audit: it never blocks and never throws. It cannot wait, either:
 * of a rule whose recogniser is async, nothing but the `deny` list counts here, unless `redactAsync` and its like are
 * called.
 */
export function telemetryRedactor(engine: Engine): PiiRedactor {
  const sync = withoutAsync(engine);
  const clean = new CleanTexts();
  const cleanValues =
    sync.async.length > 0
      ? undefined
      : new CleanValues((text, before) => clean.has(text, before) || isClean(sync.plan, text, before));
  const replacing = (replace?: ReplaceValue): Redactor => {
    const text = rememberingText(sync, clean, new Tally(), undefined, replace);
    return {
      redact: (original) => String(orWithheld(() => text(original))),
      value: (value) => (cleanValues?.has(value) ? value : orWithheld(() => treatValue(value, text))),
    };
  };
  return {
    ...redactorOf(sync, treatment),
    ...asyncRedactorOf(engine, treatment, () => refuseUnstreamable(engine)),
    ...replacing(),
    replacing,
  };
}

const treatment: Treatment = { onBlock: "redact" };

/** The engine without rules that have to be waited for, but for their `deny` lists. */
export function withoutAsync(engine: Engine): Engine {
  if (engine.async.length === 0) return engine;
  return engine.with((rule) => {
    if (rule.async === undefined) return rule;
    const { async: _, walker: __, ...rest } = rule;
    return rest.denied && rest;
  });
}

function orWithheld<T>(treat: () => T): T | string {
  try {
    return treat();
  } catch {
    return withheld;
  }
}

/** Returns true if a string has no findings. `before` is the text before it. Has no side effects. */
export type LooksClean = (text: string, before: string | undefined) => boolean;

/** A value with more in it is read the way that makes no difference between small and large. */
const mostValues = 500;
const deepest = 16;

/** The maximum number of field names that are remembered. */
const mostNames = 1000;
const longestName = 32;

/**
 * Recognises values without findings: plain objects, lists and strings, which make up nearly all telemetry. It creates
 * no nodes and no copies. For any other kind of value it returns false.
 */
export class CleanValues {
  readonly #clean: LooksClean;
  /** Field names without findings, with the text before their values. The same few names occur often. */
  readonly #names = new Map<string, string | undefined>();
  #remaining = 0;

  constructor(clean: LooksClean) {
    this.#clean = clean;
  }

  /** Returns true if a value has no findings. Also returns false if only the full treatment can decide. */
  has(value: unknown): boolean {
    this.#remaining = mostValues;
    try {
      return this.#has(value, undefined, 0);
    } catch {
      return false; // something that cannot be read
    }
  }

  #has(value: unknown, field: string | undefined, depth: number): boolean {
    if (typeof value === "string") return this.#clean(value, field);
    if (typeof value === "number") return !Number.isSafeInteger(value) || Math.abs(value) <= 999_999;
    if (typeof value === "bigint") return false;
    if (typeof value !== "object" || value === null) return true;
    if (depth >= deepest) return false;
    return Array.isArray(value) ? this.#items(value, depth + 1) : this.#fields(value, depth + 1);
  }

  #items(list: readonly unknown[], depth: number): boolean {
    this.#remaining -= list.length;
    // A list with named properties or holes is not a plain one.
    if (this.#remaining < 0 || Object.keys(list).length !== list.length) return false;
    for (let index = 0; index < list.length; index++) {
      if (computes(list, index) || !this.#has(list[index], "", depth)) return false;
    }
    return true;
  }

  #fields(object: object, depth: number): boolean {
    if (Object.getPrototypeOf(object) !== Object.prototype || "toJSON" in object) return false;
    if (Object.getOwnPropertySymbols(object).length > 0) return false;
    const names = Object.keys(object);
    this.#remaining -= names.length;
    if (this.#remaining < 0) return false;
    for (const name of names) {
      if (computes(object, name) || !this.#knows(name)) return false;
      const field = this.#names.has(name) ? this.#names.get(name) : before(name);
      if (!this.#has((object as Readonly<Record<string, unknown>>)[name], field, depth)) return false;
    }
    return true;
  }

  #knows(name: string): boolean {
    if (this.#names.has(name)) return true;
    if (!this.#clean(name, "")) return false;
    if (name.length <= longestName && this.#names.size < mostNames) this.#names.set(name, before(name));
    return true;
  }
}

/** Unlike a property's descriptor, its getter costs no object. */
const getterOf: (this: object, key: string | number) => unknown = (Object.prototype as { __lookupGetter__?: unknown })
  .__lookupGetter__ as never;

/** Returns true if a property computes its value, which may differ the next time. */
export const computes = (object: object, key: string | number): boolean => getterOf.call(object, key) !== undefined;
