import { describe, expect, it } from "@jest/globals";
import { CodedError } from "@suite/core";
import { isOutage, isTransient, isUnavailable, ResilienceError } from "@suite/resilience";
import { retryAfterOf } from "../src/failure.js";

class APIConnectionError extends Error {}
class OtherPlugin extends CodedError<"ERR_OTHER"> {
  static override readonly brand = Symbol.for("other/error");
  readonly status?: number;
  readonly retryAfter?: number;
  constructor(fields: object = {}) {
    super("ERR_OTHER", "other");
    Object.assign(this, fields);
  }
}
const made = (fields: object, message = "failed"): Error => Object.assign(new Error(message), fields);
const cyclic = made({});
Object.assign(cyclic, { cause: cyclic, error: cyclic });

/** An error, and whether it is transient, an outage, and a reason to ask another model. */
const known: readonly [string, unknown, boolean, boolean, boolean][] = [
  ["a status 500", made({ status: 500 }), true, true, true],
  ["a status 529, overloaded", made({ status: 529 }), true, true, true],
  ["a status 429", made({ status: 429 }), true, true, true],
  ["a status 429 of a quota that is used up", made({ status: 429, code: "insufficient_quota" }), false, false, true],
  ["a status 408", made({ status: 408 }), true, true, true],
  ["a status 400", made({ status: 400 }), false, false, false],
  ["a status 401", made({ status: 401 }), false, false, true],
  ["a status 404", made({ status: 404 }), false, false, true],
  ["a status 422", made({ status: 422 }), false, false, false],
  ["the AI SDK's statusCode", made({ statusCode: 503, isRetryable: true }), true, true, true],
  ["the AI SDK's error without a status", made({ isRetryable: true }), true, true, true],
  ["the last of the AI SDK's retries", made({ lastError: made({ statusCode: 503 }) }), true, true, true],
  ["an error of a stream by its type", made({ error: { type: "overloaded_error" } }), true, true, true],
  [
    "the same, as another of its bodies",
    made({ status: 200, body: { error: { type: "api_error" } } }),
    true,
    true,
    true,
  ],
  ["a connection that failed", new APIConnectionError("Connection error."), true, true, true],
  ["a code of Node, as the cause", new TypeError("x", { cause: made({ code: "ECONNRESET" }) }), true, true, true],
  ["what fetch throws", new TypeError("fetch failed"), true, true, true],
  ["a TypeError of the program", new TypeError("x is not a function"), false, false, false],
  ["a time-out of a signal", new DOMException("late", "TimeoutError"), true, true, true],
  ["an abort", new DOMException("gone", "AbortError"), false, false, false],
  ["our time-out", new ResilienceError("ERR_RESILIENCE_TIMEOUT", "late"), true, true, true],
  [
    "an open circuit",
    new ResilienceError("ERR_RESILIENCE_CIRCUIT_OPEN", "open", { retryAfter: 1 }),
    false,
    false,
    true,
  ],
  ["a refusal of another plugin", new OtherPlugin(), false, false, false],
  ["one that says when to come back", new OtherPlugin({ retryAfter: 100 }), true, false, true],
  ["a coded error with a status", new OtherPlugin({ status: 503 }), true, true, true],
  ["what nobody knows", "a text", false, false, false],
  ["nothing", undefined, false, false, false],
  ["one that is its own cause", cyclic, false, false, false],
];

describe("an error is transient, an outage, a reason to ask another model", () => {
  it.each(known)("%s", (_, error, transient, outage, unavailable) => {
    expect([isTransient(error), isOutage(error), isUnavailable(error)]).toEqual([transient, outage, unavailable]);
  });

  it("and never throws on what throws when it is looked at", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const hostile = {
      get status() {
        throw new Error("no");
      },
    };
    for (const error of [proxy, hostile]) {
      expect([isTransient(error), isOutage(error), isUnavailable(error), retryAfterOf(error)]).toEqual([
        ...[false, false, false, undefined],
      ]);
    }
  });
});

describe("the time after which an error asks to be tried again", () => {
  const after = (headers: object) => retryAfterOf(made({ headers }));
  it.each([
    [{ "retry-after": "2" }, 2000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after-ms": "30", "retry-after": "2" }, 30],
    [{ "retry-after": "-1" }, undefined],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }, 0],
    [{ "retry-after": "9".repeat(100) }, undefined],
    [new Headers({ "Retry-After": "3" }), 3000],
  ])("is read from %j", (headers, milliseconds) => {
    expect(after(headers)).toBe(milliseconds);
  });

  it("is found where each client has it, and in limits' errors", () => {
    expect(retryAfterOf(made({ responseHeaders: { "retry-after": "1" } }))).toBe(1000);
    expect(retryAfterOf(made({ response: { headers: { "retry-after": "1" } } }))).toBe(1000);
    expect(retryAfterOf(made({ cause: made({ headers: { "retry-after": "1" } }) }))).toBe(1000);
    expect(retryAfterOf(new OtherPlugin({ retryAfter: 70 }))).toBe(70);
    expect(retryAfterOf(new Error("none"))).toBeUndefined();
  });
});
