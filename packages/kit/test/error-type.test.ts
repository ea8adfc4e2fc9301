import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { errorCodeOf, errorStatusOf, errorTypeOf } from "../src/errors/error-type.js";

class RateLimitError extends Error {}
const error = (fields: object, message = "No.") => Object.assign(new Error(message), fields);
const body = { error: { message: "No.", type: "rate_limit_error", code: null } };

describe("errorTypeOf", () => {
  it.each<[string, unknown, string]>([
    ["the code of an error", error({ code: "ECONNREFUSED" }), "ECONNREFUSED"],
    ["a code of SQL", error({ code: "23505" }), "23505"],
    ["a code of JSON-RPC", error({ code: -32602 }), "-32602"],
    ["the name of an error whose code is any other number", new DOMException("Late.", "AbortError"), "AbortError"],
    [
      "the code that OpenAI's client copies",
      error({ status: 429, code: "rate_limit_exceeded" }),
      "rate_limit_exceeded",
    ],
    ["the type that it copies", error({ status: 500, code: null, type: "server_error" }), "server_error"],
    [
      "the body that Anthropic's client keeps",
      error({ status: 429, error: { type: "error", ...body } }),
      "rate_limit_error",
    ],
    ["the body that the AI SDK keeps", error({ statusCode: 429, data: body }), "rate_limit_error"],
    ["the body that @suite/fetch keeps", error({ code: "ERR_FETCH_REFUSED", status: 429, body }), "rate_limit_error"],
    ["the status, if the body says nothing", error({ code: "ERR_FETCH_REFUSED", status: 503, body: {} }), "503"],
    ["a code of the suite, if there is no response", error({ code: "ERR_LIMITS_RATE" }), "ERR_LIMITS_RATE"],
    ["the name of the class", new RateLimitError("No."), "RateLimitError"],
    ["the name of an error", new DOMException("Late.", "TimeoutError"), "TimeoutError"],
    ["Error", new Error("No."), "Error"],
    ["_OTHER for a string", "No such luck", "_OTHER"],
    ["_OTHER for a plain object", {}, "_OTHER"],
  ])("returns %s", (_, thrown, type) => {
    expect(errorTypeOf(thrown)).toBe(type);
  });

  it("reads the type of an error only next to a status: elsewhere it may be anything", () => {
    expect(errorTypeOf(error({ type: "jane" }))).toBe("Error");
  });

  it("returns a word for whatever is thrown, and throws nothing", () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error("No.");
        },
      },
    );
    expect(errorTypeOf(hostile)).toBe("_OTHER");
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.anything(), (code, data, type) => {
        for (const thrown of [data, { code, data, type, status: 400 }, { error: { code, type } }]) {
          expect(errorTypeOf(thrown)).toMatch(/^[A-Za-z0-9_.$:-]{1,100}$/);
        }
      }),
    );
  });
});

describe("errorStatusOf", () => {
  it.each([
    [{ status: 429 }, 429],
    [{ statusCode: 503 }, 503],
    [{ response: { status: 404 } }, 404],
    [{ status: "429" }, undefined],
    [{ status: 12 }, undefined],
    [undefined, undefined],
  ])("of %j is %s", (thrown, status) => {
    expect(errorStatusOf(thrown)).toBe(status);
  });
});

it("errorCodeOf returns nothing for an error that has only a class", () => {
  expect(errorCodeOf(new RateLimitError("No."))).toBeUndefined();
});
