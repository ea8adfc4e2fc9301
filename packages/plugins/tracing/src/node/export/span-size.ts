import type { Attributes, AttributeValue } from "@opentelemetry/api";
import type { ExportedSpan } from "../redact/exported-span.js";

/** Objects, times and ids of a span, of one event or link, of one attribute. */
const SPAN = 1024;
const RECORD = 128;
const ENTRY = 32;

/** A string of text outside Latin-1 takes two bytes per character. */
const CHARACTER = 2;

/** The bytes of memory that a span takes, about, rather more than less. */
export function sizeOf({ name, status, attributes, events, links }: ExportedSpan): number {
  let size = SPAN + CHARACTER * (name.length + (status.message?.length ?? 0)) + sizeOfAttributes(attributes);
  for (const event of events) size += RECORD + CHARACTER * event.name.length + sizeOfAttributes(event.attributes);
  for (const link of links) size += RECORD + sizeOfAttributes(link.attributes);
  return size;
}

function sizeOfAttributes(attributes: Attributes | undefined): number {
  let size = 0;
  // Keys are shared by the spans that have them.
  for (const key in attributes) size += ENTRY + sizeOfValue(attributes[key]);
  return size;
}

function sizeOfValue(value: AttributeValue | undefined): number {
  if (typeof value === "string") return CHARACTER * value.length;
  if (!Array.isArray(value)) return 0;
  return value.reduce<number>(
    (size, item) => size + ENTRY + (typeof item === "string" ? CHARACTER * item.length : 0),
    0,
  );
}
