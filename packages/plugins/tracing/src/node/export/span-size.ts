import type { Attributes, AttributeValue } from "@opentelemetry/api";
import type { ExportedSpan } from "../redact/exported-span.js";

/** Estimated bytes of a span's objects, times and ids, of one event or link, and of one attribute. */
const SPAN = 1024;
const RECORD = 128;
const ENTRY = 32;

/** A string with characters outside Latin-1 takes two bytes per character. */
const CHARACTER = 2;

/** Estimates the memory of a span in bytes. The estimate is rather too high than too low. */
export function sizeOf({ name, status, attributes, events, links }: ExportedSpan): number {
  let size = SPAN + CHARACTER * (name.length + (status.message?.length ?? 0)) + sizeOfAttributes(attributes);
  for (const event of events) size += RECORD + CHARACTER * event.name.length + sizeOfAttributes(event.attributes);
  for (const link of links) size += RECORD + sizeOfAttributes(link.attributes);
  return size;
}

function sizeOfAttributes(attributes: Attributes | undefined): number {
  let size = 0;
  // Keys are not counted: spans share them.
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
