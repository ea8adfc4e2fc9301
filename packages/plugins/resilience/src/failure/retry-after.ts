import { isObject } from "@suite/kit";
import { isRefusal } from "./classify.js";
import { chainOf, safely } from "./fields.js";

/** Milliseconds after which an error asks to be tried again: of a limit, or of the headers of a provider's response. */
export const retryAfterOf = safely(readRetryAfter, undefined);

function readRetryAfter(error: unknown): number | undefined {
  for (const each of chainOf(error)) {
    if (isRefusal(each) && isTime(each.retryAfter)) return each.retryAfter;
    const { headers, responseHeaders, response } = each;
    for (const some of [headers, responseHeaders, isObject(response) ? response.headers : undefined]) {
      const milliseconds = Number(headerOf(some, "retry-after-ms") ?? Number.NaN);
      if (isTime(milliseconds)) return milliseconds;
      const requested = parseRetryAfter(headerOf(some, "retry-after"));
      if (requested !== undefined) return requested;
    }
  }
  return undefined;
}

const isTime = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value) && value >= 0;

function headerOf(headers: unknown, name: string): string | undefined {
  if (!isObject(headers)) return undefined;
  const value = typeof headers.get === "function" ? headers.get(name) : headers[name];
  return typeof value === "string" && value.trim() !== "" && value.length < 64 ? value : undefined;
}

/** `retry-after` of RFC 9110: seconds, or a date. One that is over: 0. */
function parseRetryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const seconds = Number(value);
  if (!Number.isNaN(seconds)) return isTime(seconds) ? seconds * 1000 : undefined;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
