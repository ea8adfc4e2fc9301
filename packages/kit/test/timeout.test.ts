import { describe, expect, it } from "@jest/globals";
import { isTimeoutError } from "@suite/kit/errors";

const error = (fields: object, message = "failed"): Error => Object.assign(new Error(message), fields);

describe("isTimeoutError", () => {
  it.each<[string, unknown]>([
    ["AbortSignal.timeout", new DOMException("The operation was aborted due to timeout", "TimeoutError")],
    ["an abort", new DOMException("This operation was aborted", "AbortError")],
    ["Node's socket", error({ code: "ETIMEDOUT" })],
    [
      "undici, behind fetch's error",
      new TypeError("fetch failed", { cause: error({ code: "UND_ERR_HEADERS_TIMEOUT" }) }),
    ],
    ["all addresses of a host", new AggregateError([error({ code: "ETIMEDOUT" })], "failed")],
    ["axios", error({ code: "ECONNABORTED" })],
    ["a proxy that ran out of time", error({ status: 504 })],
    ["a status in a response", error({ response: { status: 408 } })],
    ["AWS", error({ name: "RequestTimeout", $metadata: { httpStatusCode: 408 } })],
    ["gRPC", error({ code: 4, metadata: {}, details: "" })],
    ["MCP", error({ code: -32001 })],
    ["execa", error({ timedOut: true })],
    ["a child process that was ended", error({ killed: true, code: null })],
    ["words alone", new Error("Request timed out after 30 s")],
    ["no error at all", { name: "TimeoutError" }],
  ])("is true for %s", (_, thrown) => {
    expect(isTimeoutError(thrown)).toBe(true);
  });

  it.each<[string, unknown]>([
    ["a plain error", new Error("The card was declined")],
    ["a server's failure", error({ status: 500 })],
    ["an exit code", error({ code: 4, cmd: "make" })],
    ["a refused connection", error({ code: "ECONNREFUSED" })],
    ["a string", "timeout"],
    ["nothing", undefined],
  ])("is false for %s", (_, thrown) => {
    expect(isTimeoutError(thrown)).toBe(false);
  });

  it("is true for an error that cannot be read: the work may have been done", () => {
    const get = (): never => {
      throw new Error("no");
    };
    expect(isTimeoutError(new Proxy({}, { get }))).toBe(true);
  });

  it("ends on causes without end", () => {
    const endless = error({});
    Object.assign(endless, { cause: endless, errors: [endless, endless] });
    expect(isTimeoutError(endless)).toBe(false);
  });
});
