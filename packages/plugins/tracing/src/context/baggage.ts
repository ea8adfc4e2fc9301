import { type Context, propagation } from "@opentelemetry/api";
import type { Redactor } from "@suite/core";

/** W3C Baggage: what everybody takes. What is over is left out. */
const MOST = 64;
const LONGEST = 8192;

/** The `baggage` entry of a carrier, redacted; undefined where there is none. Properties of members are not carried. */
export function baggageIn(context: Context, redactor: Redactor | undefined): { readonly baggage?: string } {
  const entries = propagation.getBaggage(context)?.getAllEntries() ?? [];
  const encoded = (text: string): string =>
    // Half of a surrogate pair has no encoding.
    encodeURIComponent((redactor?.redact(text) ?? text).replace(/\p{Surrogate}/gu, "\ufffd"));
  let baggage = "";
  for (const [key, { value }] of entries.slice(0, MOST)) {
    const member = `${baggage === "" ? "" : ","}${encoded(key)}=${encoded(value)}`;
    if (baggage.length + member.length <= LONGEST) baggage += member;
  }
  return baggage === "" ? {} : { baggage };
}
