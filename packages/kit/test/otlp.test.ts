import { describe, expect, it } from "@jest/globals";
import { otlpFailure, otlpHeaders, otlpUrl } from "@suite/kit/otlp";

describe("the reason why OTLP was not taken", () => {
  it.each([
    ["ECONNREFUSED", "nothing listens"],
    ["ENOTFOUND", "does not resolve"],
    ["HPE_INVALID_CONSTANT", "gRPC port (4317)"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "use http instead of https"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "certificate"],
    [401, "401: it requires other headers"],
    [404, "404: this path does not accept OTLP"],
    [503, "it answers 503"],
  ])("of %s is told in words", (code, words) => {
    expect(otlpFailure(code)).toContain(words);
  });

  it("is not made up for a code that says nothing of the network", () => {
    expect(otlpFailure("ERR_OTHER")).toBeUndefined();
  });
});

describe("the address of a signal", () => {
  it.each([
    ["http://localhost:4318", "http://localhost:4318/v1/traces"],
    ["https://example.com/otlp/", "https://example.com/otlp/v1/traces"],
    ["http://localhost:4318/v1/logs", "http://localhost:4318/v1/traces"],
  ])("at %s is %s", (address, url) => {
    expect(otlpUrl(address, "traces")?.href).toBe(url);
  });

  it.each(["", "localhost:4318", "ftp://example.com"])("is none for %j", (address) => {
    expect(otlpUrl(address, "traces")).toBeUndefined();
  });
});

describe("headers of the environment", () => {
  it("are split by commas and decoded, and a value may hold an equals sign", () => {
    expect(otlpHeaders("a=1, authorization=Basic%20x==,b=%zz")).toEqual({
      a: "1",
      authorization: "Basic x==",
      b: "%zz",
    });
  });

  it("are none where the variable is not set", () => {
    expect(otlpHeaders(undefined)).toEqual({});
  });
});
