import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "@jest/globals";
import { createAgent, type Model } from "@suite/agent";
import { anthropic } from "@suite/agent/anthropic";
import { openai } from "@suite/agent/openai";
import type { Plugin } from "@suite/core";
import {
  type Carrier,
  type Incoming,
  incomingKey,
  type PropagationTarget,
  propagatorsKey,
} from "@suite/core/propagation";
import { server } from "./models.js";

/** A plugin whose requests carry this, and that remembers where they went. */
const carrying = (carrier: Carrier | undefined, asked: string[] = []): Plugin => ({
  name: "carrying",
  begin(runtime) {
    runtime.get(propagatorsKey).push({
      inject(call, _runtime, target: PropagationTarget) {
        asked.push(`${call.kind} ${target.kind} ${"url" in target ? target.url : ""}`);
        return carrier;
      },
    });
  },
});

const clients: readonly (readonly [string, (url: string) => Model])[] = [
  ["openai", (url) => openai("m", { apiKey: "none", baseURL: `${url}/v1` })],
  ["anthropic", (url) => anthropic("m", { apiKey: "none", baseURL: url })],
];
const ways = [["whole"], ["streamed"]] as const;

async function answer(model: Model, plugins: readonly Plugin[], how: "whole" | "streamed"): Promise<string> {
  const agent = createAgent({ name: "a", model, plugins });
  const result = how === "whole" ? await agent.run("hello") : await agent.stream("hello").result;
  return result.status === "completed" ? result.text : result.status;
}

describe.each(clients)("a request of %s", (_, modelAt) => {
  it.each(ways)("carries what plugins say it should, for a %s answer", async (how) => {
    const asked: string[] = [];
    const url = server.url;
    server.script({ text: "Fine." });
    expect(await answer(modelAt(url), [carrying({ traceparent: "00-1", tracestate: "a=b" }, asked)], how)).toBe(
      "Fine.",
    );
    expect(server.requests[0]?.headers).toMatchObject({ traceparent: "00-1", tracestate: "a=b" });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatch(`model http ${url}`);
  });

  it.each(ways)("contains nothing if they return nothing, for a %s answer", async (how) => {
    server.script({ text: "Fine." }, { text: "Fine." });
    await answer(modelAt(server.url), [], how);
    await answer(modelAt(server.url), [carrying(undefined)], how);
    for (const { headers } of server.requests) expect(headers).not.toHaveProperty("traceparent");
    expect(server.requests).toHaveLength(2);
  });

  it.each(ways)("carries it to no host that it is redirected to, for a %s answer", async (how) => {
    const seen: IncomingHttpHeaders[] = [];
    const redirecting = createServer((request, response) => {
      seen.push(request.headers);
      response.writeHead(307, { location: `${server.url}${request.url}` }).end();
    });
    await new Promise<void>((resolve) => redirecting.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}`;
    server.script({ text: "Moved." });
    expect(await answer(modelAt(url), [carrying({ traceparent: "00-1" })], how)).toBe("Moved.");
    expect(seen.map(({ traceparent }) => traceparent)).toEqual(["00-1", undefined]);
    expect(server.requests.map(({ headers }) => headers.traceparent)).toEqual([undefined]);
    await new Promise((resolve) => redirecting.close(resolve));
  });

  it("fails with the provider's own error, once, where that is no redirect", async () => {
    server.script({ fault: { status: 400, message: "no" } });
    await expect(answer(modelAt(server.url), [carrying({ traceparent: "00-1" })], "whole")).rejects.toMatchObject({
      status: 400,
    });
    expect(server.requests).toHaveLength(1);
  });
});

it("gives hooks what the request that led to the run brought along", async () => {
  const found: (Incoming | undefined)[] = [];
  const look: Plugin = {
    name: "look",
    async agent({ runtime }, next) {
      found.push(runtime.get(incomingKey));
      await next();
    },
  };
  const incoming = { carrier: { traceparent: "00-1" }, trusted: true };
  const agent = createAgent({ name: "a", model: openai("m", { apiKey: "none", baseURL: `${server.url}/v1` }) });
  server.script({ text: "a" }, { text: "b" });
  await agent.run("hello", { plugins: [look], incoming });
  await agent.run("hello", { plugins: [look] });
  expect(found).toEqual([incoming, undefined]);
});
