import type { Redactor } from "@suite/core";
import { isRecord } from "@suite/kit";
import type { Content } from "../framework.js";
import { isSigned } from "./signature.js";

/**
 * Redacts the metadata of an answer or of a part of it, since no layer sees it. Signatures and encrypted values stay
 * unchanged. Returns the same object if nothing was found.
 */
export function redactedMetadata<T extends object>(value: T, redactor: Redactor | undefined): T {
  const metadata = "providerMetadata" in value ? value.providerMetadata : undefined;
  if (redactor === undefined || !isRecord(metadata)) return value;
  const clean = mapped(metadata, (values) => (isRecord(values) ? unsignedRedacted(values, redactor) : values));
  return clean === metadata ? value : { ...value, providerMetadata: clean };
}

/** The nesting depth below which the redactor gets values as a whole. */
const maxDepth = 16;

/** Redacts values. Signatures and encrypted values stay at each level, for example in lists of reasoning details. */
function unsignedRedacted(values: Fields, redactor: Redactor, depth = 0): Fields {
  const treated = (value: unknown): unknown => {
    if (depth < maxDepth && Array.isArray(value)) {
      const items = value.map(treated);
      return items.every((item, index) => Object.is(item, value[index])) ? value : items;
    }
    return depth < maxDepth && isRecord(value) ? unsignedRedacted(value, redactor, depth + 1) : redactor.value(value);
  };
  const isCipher = /encrypted|redacted/i.test(String(values.type));
  return mapped(values, (value, name) => (isSigned(name) || (isCipher && name === "data") ? value : treated(value)));
}

/** Redacts a provider's warnings, which may quote the request. Returns the same object if nothing was found. */
export function redactedWarnings<T extends { readonly warnings?: unknown }>(
  value: T,
  redactor: Redactor | undefined,
): T {
  const { warnings } = value;
  if (redactor === undefined || !Array.isArray(warnings) || warnings.length === 0) return value;
  const clean = redactor.value(warnings);
  return clean === warnings ? value : { ...value, warnings: clean };
}

/**
 * Returns the metadata of a part that a layer changed. Without a redactor, it keeps only ids, signatures and encrypted
 * values. Signatures and encrypted values stay unchanged.
 */
export function remainingMetadata(part: object, redactor: Redactor | undefined): Annotated {
  const { providerMetadata } = redactedMetadata<Annotated>(part, redactor);
  if (providerMetadata === undefined) return {};
  return {
    providerMetadata: redactor === undefined ? (mapped(providerMetadata, named) as Metadata) : providerMetadata,
  };
}

type Metadata = NonNullable<Content["providerMetadata"]>;

/** A part or a message with a provider's metadata. */
export interface Annotated {
  readonly providerMetadata?: Metadata;
}

/** Removes signatures and encrypted values from metadata. */
export const unsigned = <T extends object>(metadata: T): T =>
  mapped(metadata as Fields, (values) =>
    isRecord(values) ? Object.fromEntries(Object.entries(values).filter(([name]) => !isSigned(name))) : values,
  ) as T;

const named = (values: unknown): unknown =>
  isRecord(values)
    ? Object.fromEntries(Object.entries(values).filter(([name]) => isSigned(name) || /(?:^|_)id$|Id$/.test(name)))
    : {};

type Fields = Readonly<Record<string, unknown>>;

/** Maps the values of an object. Returns the same object if no value has changed. */
function mapped(object: Fields, change: (value: unknown, name: string) => unknown): Fields {
  const entries = Object.entries(object).map(([name, value]) => [name, change(value, name)] as const);
  return entries.every(([name, value]) => value === object[name]) ? object : Object.fromEntries(entries);
}

/** Names of fields that repeat parts of an answer. */
const echoes = /[lL]og[pP]robs|(?:^|_)(?:text|content)$|Text$|Content$/;

/** Removes fields that repeat the answer from metadata. For a changed answer they would reveal the removed text. */
export const withoutEchoes = <Metadata>(metadata: Metadata): Metadata => silenced(metadata) as Metadata;

function silenced(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(silenced);
  if (!isRecord(value)) return value;
  const rest = Object.entries(value).filter(([name]) => !echoes.test(name));
  return Object.fromEntries(rest.map(([name, inner]) => [name, silenced(inner)]));
}
