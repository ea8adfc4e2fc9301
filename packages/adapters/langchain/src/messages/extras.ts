import type { Redactor } from "@suite/core";
import { isRecord } from "@suite/kit";
import { isLabel } from "./metadata.js";

/** The maximum nesting depth. Deeper values are redacted as a whole. */
const maxDepth = 16;

/** The field names of signatures and encrypted reasoning. */
const signatures = /signature|encrypted/i;

/**
 * True if an object contains something that its provider signed or encrypted. The provider accepts it back only
 * unchanged.
 */
const isSigned = (value: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(value).some(([name, inner]) => signatures.test(name) && typeof inner === "string" && inner !== "");

/** The handling of extras: the fields of a message or block that are not in a part. */
export interface Treatment {
  /** The redactor of the run. Without one, strings with unknown content are removed. */
  readonly redactor: Redactor | undefined;
  /** True if the message is sent to the provider that wrote it: signed objects pass unchanged. */
  readonly toProvider?: boolean;
  /** True if the text next to the extras was changed: fields that repeat it token by token are removed. */
  readonly textChanged?: boolean;
}

/**
 * Redacts the extras of a changed message. Names, ids and signatures are kept, other strings are redacted.
 *
 * @returns the same value if nothing was changed in it.
 */
export function treatedExtras<T>(value: T, treatment: Treatment): T {
  return treated(value, "", treatment, 0) as T;
}

function treated(value: unknown, name: string, treatment: Treatment, depth: number): unknown {
  const { redactor, toProvider = false, textChanged = false } = treatment;
  if (typeof value === "string") {
    if (value === "" || isLabel(name)) return value;
    return redactor === undefined ? undefined : redactor.redact(value);
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth > maxDepth || !isPlainObject(value)) return redactor?.value(value);
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => treated(item, name, treatment, depth + 1));
    return items.every((item, index) => Object.is(item, value[index]))
      ? value
      : items.filter((item) => item !== undefined);
  }
  const fields = value as Readonly<Record<string, unknown>>;
  if (toProvider && isSigned(fields)) return value;
  return mapFields(fields, (inner, key) =>
    textChanged && key === "logprobs" ? undefined : treated(inner, key, treatment, depth + 1),
  );
}

/** Maps the fields of an object and removes those that become `undefined`. Returns the same object if none changed. */
export function mapFields(
  fields: Readonly<Record<string, unknown>>,
  change: (value: unknown, name: string) => unknown,
): Record<string, unknown> {
  const entries = Object.entries(fields).map(([name, value]) => [name, change(value, name)] as const);
  if (entries.every(([name, value]) => Object.is(value, fields[name]))) return fields as Record<string, unknown>;
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || prototype === Object.prototype;
}

/** Returns a record's field as a record, or an empty one. */
export const recordOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});
