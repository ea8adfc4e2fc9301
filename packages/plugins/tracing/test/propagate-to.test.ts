import { afterEach, describe, expect, it } from "@jest/globals";
import { type PropagationTarget, propagate } from "@suite/core/propagation";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import type { TracingOptions } from "../src/index.js";
import { Harness, startSdk, stopSdk, words } from "./support.js";

afterEach(() => {
  stopSdk();
  delete process.env.OTEL_PROPAGATORS;
});

const http = (url: string): PropagationTarget => ({ kind: "http", url });
const mcp = (url: string): PropagationTarget => ({ kind: "mcp", transport: "http", url });
const stdio: PropagationTarget = { kind: "mcp", transport: "stdio" };

/** Tells for each target whether a model call's request may tell the trace to it. */
async function told(options: TracingOptions, targets: readonly PropagationTarget[]): Promise<boolean[]> {
  startSdk();
  const harness = new Harness(options);
  const run = harness.begin();
  const found: boolean[] = [];
  const outcome = await harness.stack.call("model", run, { model: "m", messages: [], tools: [] }, async (model) => {
    for (const target of targets) found.push(propagate(model.call, run, target)?.traceparent !== undefined);
    model.respond({ stream: words("a") });
  });
  await outcome.final();
  await run.end();
  return found;
}
const isTold = async (propagateTo: TracingOptions["propagateTo"], target: PropagationTarget): Promise<boolean> =>
  (await told(propagateTo === undefined ? {} : { propagateTo }, [target]))[0] ?? false;

describe("without a list", () => {
  it.each([
    ["an MCP server that this process started", stdio],
    ["an MCP server on this machine, by name", mcp("http://localhost:3000/mcp")],
    ["an MCP server on this machine, by IPv4 address", mcp("http://127.0.0.1:3000/mcp")],
    ["an MCP server on this machine, by IPv6 address", mcp("http://[::1]:3000/mcp")],
  ])("%s is told", async (_, target) => {
    expect(await isTold(undefined, target)).toBe(true);
  });

  it.each([
    ["a model's server", http("https://api.openai.com/v1")],
    ["a model's server on this machine", http("http://localhost:11434/v1")],
    ["an MCP server elsewhere", mcp("https://mcp.example.com/")],
    ["an MCP server whose name begins like this machine's", mcp("http://localhost.evil.test/")],
    ["an MCP server whose name begins like a loopback address", mcp("http://127.0.0.1.evil.test/")],
    ["an MCP server behind this machine's name as a user", mcp("http://localhost@evil.test/")],
    ["what has no address", mcp("localhost")],
  ])("%s is not told", async (_, target) => {
    expect(await isTold(undefined, target)).toBe(false);
  });

  it("nothing is propagated if the environment forbids it, except to hosts that code names", async () => {
    process.env.OTEL_PROPAGATORS = "none";
    const targets = [stdio, mcp("http://localhost:3000/"), mcp("https://mcp.example.com/")];
    expect(await told({}, targets)).toEqual([false, false, false]);
    expect(await told({ propagateTo: ["mcp.example.com"] }, targets)).toEqual([false, false, true]);
  });
});

describe("a list of hosts", () => {
  it.each([
    ["api.example.com", "https://api.example.com/v1"],
    ["api.example.com", "https://api.example.com:8443/v1"],
    ["API.Example.com", "https://api.example.com/v1"],
    ["api.example.com:443", "https://api.example.com/v1"],
    ["api.example.com:80", "http://api.example.com/v1"],
    ["api.example.com:8443", "https://api.example.com:8443/v1"],
    ["*.example.com", "https://api.example.com/"],
    ["*.example.com", "https://eu.api.example.com/"],
    ["*.example.com:8443", "https://api.example.com:8443/"],
    ["[::1]:11434", "http://[::1]:11434/v1"],
    ["bücher.example", "https://xn--bcher-kva.example/"],
    ["localhost", "http://localhost:11434/v1"],
  ])("with %s tells %s", async (host, url) => {
    expect(await isTold([host], http(url))).toBe(true);
    expect(await isTold([host], mcp(url))).toBe(true);
  });

  it.each([
    ["api.example.com", "https://api.example.com.evil.test/"],
    ["api.example.com", "https://evil.test/api.example.com"],
    ["api.example.com", "https://api.example.com@evil.test/"],
    ["api.example.com", "https://evil.test\\@api.example.com/"],
    ["api.example.com", "https://evilapi.example.com/"],
    ["api.example.com", "https://eu.api.example.com/"],
    ["api.example.com", "ftp://api.example.com/"],
    ["api.example.com", "api.example.com"],
    ["api.example.com:443", "https://api.example.com:8443/"],
    ["api.example.com:443", "http://api.example.com/"],
    ["api.example.com:80", "https://api.example.com/"],
    ["*.example.com", "https://example.com/"],
    ["*.example.com", "https://evilexample.com/"],
    ["*.example.com", "https://api.example.com.evil.test/"],
  ])("with %s does not tell %s", async (host, url) => {
    expect(await isTold([host], http(url))).toBe(false);
  });

  it("adds to what is told anyway", async () => {
    const targets = [stdio, mcp("http://localhost/"), http("https://api.example.com/"), http("http://localhost/")];
    expect(await told({ propagateTo: ["api.example.com"] }, targets)).toEqual([true, true, true, false]);
  });

  it("tells no host but those in it, whatever the address", async () => {
    const hosts = ["api.example.com", "*.internal.example"];
    const host = fc.oneof(
      fc.domain(),
      fc.constantFrom(...hosts, "api.example.com", "a.internal.example", "internal.example"),
      fc.tuple(fc.constantFrom("api.example.com", "a.internal.example"), fc.domain()).map((pair) => pair.join(".")),
    );
    const address = fc
      .tuple(fc.constantFrom("http://", "https://", "//", "ftp://", ""), fc.option(fc.webUrl()), host, fc.webPath())
      .map(([scheme, user, name, path]) => `${scheme}${user === null ? "" : `${user}@`}${name}${path}`);
    await fc.assert(
      fc.asyncProperty(fc.array(address, { minLength: 1 }), async (urls) => {
        const found = await told({ propagateTo: hosts }, urls.map(http));
        stopSdk();
        for (const [index, url] of urls.entries()) {
          if (found[index] !== true) continue;
          const { hostname } = new URL(url);
          expect(hostname === "api.example.com" || hostname.endsWith(".internal.example")).toBe(true);
        }
      }),
      { numRuns: runs(50) },
    );
  });

  it.each<[unknown]>([
    ["https://api.example.com"],
    ["api.example.com/v1"],
    ["user@api.example.com"],
    ["api.example.com?x"],
    ["api.*.com"],
    ["*"],
    ["*."],
    [""],
    [" api.example.com"],
    ["api.example.com:port"],
    [/example/],
    [undefined],
  ])("refuses %p, and says nothing of it", (entry) => {
    expect.assertions(2);
    try {
      new Harness({ propagateTo: ["localhost", entry as string] });
    } catch (error) {
      expect(error).toMatchObject({ code: "ERR_TRACING_INVALID_OPTION" });
      expect(String(error)).toMatch(/entry 1 is not a host/);
    }
  });

  it("refuses what is neither a list nor a function", () => {
    expect(() => new Harness({ propagateTo: "api.example.com" as never })).toThrow(
      expect.objectContaining({ code: "ERR_TRACING_INVALID_OPTION" }),
    );
  });
});

describe("a function", () => {
  it("decides alone", async () => {
    const asked: PropagationTarget[] = [];
    const propagateTo = (target: PropagationTarget): boolean => {
      asked.push(target);
      return target.kind === "http";
    };
    const targets = [stdio, mcp("http://localhost/"), http("https://anywhere.test/")];
    expect(await told({ propagateTo }, targets)).toEqual([false, false, true]);
    expect(asked).toEqual(targets);
  });

  it("that throws, or gives a promise, allows nothing and disturbs nothing", async () => {
    const throws = (): boolean => {
      throw new Error("no");
    };
    expect(await told({ propagateTo: throws }, [stdio])).toEqual([false]);
    expect(await told({ propagateTo: (async () => true) as never }, [stdio])).toEqual([false]);
  });
});
