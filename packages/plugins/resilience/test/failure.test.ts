import { describe, expect, it } from "@jest/globals";
import { CodedError } from "@suite/core";
import { isOutage, isTransient, isUnavailable, ResilienceError } from "@suite/resilience";
import fc from "fast-check";
import { retryAfterOf } from "../src/failure/retry-after.js";

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
/** An error as the AWS SDK makes it. */
const aws = (name: string, httpStatusCode?: number): Error => made({ name, $metadata: { httpStatusCode } });
/** The error of the AI SDK for an answer with status 200 that it cannot read. */
const unread = (responseBody: string): Error => made({ statusCode: 200, isRetryable: false, responseBody });
const cyclic = made({});
Object.assign(cyclic, { cause: cyclic, error: cyclic });

const yes = [true, true, true] as const;
const no = [false, false, false] as const;

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
  ["an answer that ended too early", made({ code: "ERR_AGENT_MODEL_STREAM_CUT" }), true, true, true],
  ["an answer of @suite/fetch that is not JSON", made({ code: "ERR_FETCH_ANSWER_UNREADABLE" }), true, true, true],
  ["a model request that cannot be written", made({ code: "ERR_AGENT_MODEL_REQUEST" }), false, false, false],
  [
    "a model error with the provider's error as its cause",
    made({ code: "ERR_AGENT_MODEL_FAILED", cause: { code: 502 } }),
    ...yes,
  ],
  [
    "a plugin's refusal that was caused by a provider",
    made({ code: "ERR_GUARDRAILS_CHECK", cause: { status: 503 } }),
    ...no,
  ],
  ["an error in a stream with a number as code", made({ error: { code: 502 }, code: 502 }), true, true, true],
  ["an error in a stream with a number as string", made({ error: { code: "429" }, code: "429" }), true, true, true],
  ["an error in a stream that is paid for", made({ code: 402, error: { code: 402 } }), false, false, true],
  ["an error in a stream that was refused", made({ error: { code: 400, type: "server_error" } }), false, false, false],
  ["an error of a stream that began with 200", made({ status: 200, body: { error: { code: 503 } } }), true, true, true],
  ["the plain object of an error event", { message: "x", code: "502" }, true, true, true],
  ["a status as string", made({ status: "502" }), true, true, true],
  ["a string that only begins as a status", made({ status: "502 Bad Gateway" }), false, false, false],
  ["AWS: a throttled request", aws("ThrottlingException", 429), true, true, true],
  ["AWS: a throttled request with status 400", aws("ThrottlingException", 400), true, true, true],
  ["AWS: a status alone", aws("SomeException", 503), true, true, true],
  ["AWS: a name alone", aws("ModelStreamErrorException"), true, true, true],
  [
    "AWS: an error that its model marks",
    made({ $retryable: {}, $metadata: { httpStatusCode: 424 } }),
    true,
    true,
    true,
  ],
  ["AWS: a timeout of the model", aws("ModelTimeoutException", 408), true, true, true],
  ["AWS: an invalid request", aws("ValidationException", 400), false, false, false],
  ["AWS: no access", aws("AccessDeniedException", 403), false, false, true],
  ["AWS: a used up quota", aws("ServiceQuotaExceededException", 400), false, false, true],
  ["gRPC: UNAVAILABLE", made({ code: 14, details: "x" }), true, true, true],
  ["gRPC: INVALID_ARGUMENT", made({ code: 3, details: "x" }), false, false, false],
  ["gRPC: UNAUTHENTICATED", made({ code: 16 }), false, false, true],
  ["gRPC: UNIMPLEMENTED", made({ code: 12 }), false, false, true],
  ["gRPC: UNKNOWN", made({ code: 2 }), false, false, false],
  ["Google's JSON", made({ error: { status: "RESOURCE_EXHAUSTED" } }), true, true, true],
  ["Connect's JSON", { code: "unavailable" }, true, true, true],
  [
    "a DOMException with the number of gRPC's UNAVAILABLE",
    new DOMException("x", "NamespaceError"),
    false,
    false,
    false,
  ],
  ["the AI SDK: an error with status 200", unread('{"error":{"code":502}}'), true, true, true],
  ["the AI SDK: no credits, with status 200", unread('{"error":{"code":402}}'), false, false, true],
  ["the AI SDK: a page with status 200", unread("<html>"), true, true, true],
  ["the AI SDK: another answer with status 200", unread("{}"), false, false, false],
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

describe("the verdict on an error", () => {
  const places: Readonly<Record<string, (status: number) => object>> = {
    status: (status) => ({ status }),
    "status as string": (status) => ({ status: String(status) }),
    statusCode: (statusCode) => ({ statusCode }),
    response: (status) => ({ response: { status } }),
    $metadata: (httpStatusCode) => ({ $metadata: { httpStatusCode } }),
    code: (code) => ({ code }),
    "code as string": (code) => ({ code: String(code) }),
    error: (code) => ({ error: { code } }),
    "error in a body": (code) => ({ status: 200, body: { error: { code: String(code) } } }),
    "error in a response": (code) => ({ body: { type: "response.failed", response: { error: { code } } } }),
  };
  const verdictOn = (error: unknown) => [isTransient(error), isOutage(error), isUnavailable(error)];

  it("is the same for a status in each place, and behind causes", () => {
    const status = fc.integer({ min: 400, max: 599 });
    fc.assert(
      fc.property(status, fc.constantFrom(...Object.keys(places)), fc.nat(4), (number, place, causes) => {
        let error: unknown = made(places[place]?.(number) ?? {});
        for (let each = 0; each < causes; each++) error = new Error("wrapped", { cause: error });
        const transient = [408, 409, 429].includes(number) || number >= 500;
        const elsewhere = transient || [401, 402, 403, 404].includes(number);
        expect(verdictOn(error)).toEqual([transient, transient, elsewhere]);
      }),
    );
  });

  it("never makes an abort, a used up quota or a bad request transient, whatever else the error contains", () => {
    const permanent = fc.constantFrom<object>(
      { name: "AbortError" },
      { code: "insufficient_quota" },
      { status: 400 },
      { error: { type: "insufficient_quota" } },
      { name: "ServiceQuotaExceededException" },
    );
    const others = fc.record(
      {
        type: fc.constantFrom("server_error", "rate_limit_exceeded", "api_error"),
        isRetryable: fc.boolean(),
        retryAfter: fc.nat(),
        cause: fc.constantFrom({ status: 503 }, { code: "ECONNRESET" }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(permanent, others, (fields, more) => {
        expect(isTransient(made({ ...more, ...fields }))).toBe(false);
      }),
    );
  });

  it("is false for errors that tell nothing, and never throws", () => {
    const key = fc.constantFrom("status", "code", "error", "body", "cause", "response", "data", "responseBody", "name");
    const value = fc.oneof(
      fc.string(),
      fc.constantFrom(null, undefined, true, 1.5, -1, 17, 600, Number.NaN),
      fc.object(),
    );
    fc.assert(
      fc.property(fc.dictionary(key, value, { maxKeys: 5 }), (fields) => {
        expect(verdictOn(fields)).toEqual([false, false, false]);
      }),
    );
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
