import { Readable } from "node:stream";
import Anthropic from "@anthropic-ai/sdk";
import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { definePlugin, type RuntimeContext } from "@suite/core";
import { propagatorsKey } from "@suite/core/propagation";
import { fetchWithPlugins, withPlugins } from "@suite/fetch";
import { promisesOf } from "../../../../integration-tests/promises.js";
import { answering, eventText, jsonResponse, post, sse, urls } from "./fake.js";

jest.spyOn(console, "warn").mockImplementation(() => {});
afterEach(() => {
  jest.restoreAllMocks();
});

/** A plugin that no request has to go through. */
function book() {
  const written: string[] = [];
  const plugin = definePlugin({
    name: "book",
    observe() {},
    begin: (_: RuntimeContext) => void written.push("begin"),
    end: (_: RuntimeContext) => void written.push("end"),
  });
  return { written, plugin };
}

/** The response with a stream of no kind that tells when it is over. */
function foreign(response: Response): Response {
  const { body } = response;
  return body === null
    ? response
    : Object.defineProperty(response, "body", { value: { getReader: () => body.getReader() } });
}

const tick = () => new Promise((resolve) => setTimeout(resolve, 0));
const asked = { model: "m", messages: [], stream: true };
const piece = 'data: {"choices":[]}\n\n';

describe("with plugins that have no layer", () => {
  it("the request and the response are handed on as they are", async () => {
    const { plugin } = book();
    const response = jsonResponse({});
    const given: unknown[] = [];
    const fetch = fetchWithPlugins([plugin], async (...args) => {
      given.push(...args);
      return response;
    });
    const init = { method: "POST", body: "not JSON" };
    expect(await fetch(urls.chat, init)).toBe(response);
    expect(given).toEqual([urls.chat, init]);
    expect(given[1]).toBe(init);
  });

  it("the value of a custom fetch is returned unchanged, even if it is not a promise or a response", async () => {
    const { written, plugin } = book();
    const gives = (value: unknown) => fetchWithPlugins([plugin], () => value as Promise<Response>);
    const error = new Error("given, not thrown");
    expect(await gives(undefined)(urls.chat, { method: "POST" })).toBeUndefined();
    expect(await gives(error)(urls.chat, { method: "POST" })).toBe(error);
    const thrown = fetchWithPlugins([plugin], () => {
      throw error;
    });
    await expect(thrown(urls.chat, { method: "POST" })).rejects.toBe(error);
    expect(written).toEqual(["begin", "end", "begin", "end", "begin", "end"]);
  });

  it.each([
    ["", (response: Response) => response],
    ["in a runtime that cannot tell of a stream, ", foreign],
  ])("%sa run ends with the answer", async (_, body) => {
    const { written, plugin } = book();
    const ask = (answer: Response | Error) =>
      post(fetchWithPlugins([plugin], answering(answer instanceof Error ? answer : body(answer))), urls.chat, asked);
    const read = await ask(sse(piece, piece));
    expect(written).toEqual(["begin"]);
    expect(await read.text()).toBe(piece + piece);
    await tick();
    expect(written.splice(0)).toEqual(["begin", "end"]);
    await (await ask(sse(piece))).body?.cancel();
    await tick();
    expect(written.splice(0)).toEqual(["begin", "end"]);
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("broken")) });
    await expect((await ask(new Response(broken))).text()).rejects.toThrow("broken");
    await tick();
    expect(written.splice(0)).toEqual(["begin", "end"]);
    expect((await ask(new Response(null, { status: 204 }))).status).toBe(204);
    await tick();
    expect(written.splice(0)).toEqual(["begin", "end"]);
    await expect(ask(new Error("offline"))).rejects.toThrow("offline");
    expect(written).toEqual(["begin", "end"]);
  });

  it("a run ends with a body that is a stream of Node's own", async () => {
    const { written, plugin } = book();
    const body = Readable.from([Buffer.from(piece)]);
    const response = Object.defineProperty(sse(), "body", { value: body });
    expect(await post(fetchWithPlugins([plugin], answering(response)), urls.chat, asked)).toBe(response);
    expect(written).toEqual(["begin"]);
    expect(await body.toArray()).toEqual([Buffer.from(piece)]);
    await tick();
    expect(written).toEqual(["begin", "end"]);
  });

  it("the headers of propagators are sent", async () => {
    const saying = definePlugin({
      name: "saying",
      begin: (runtime: RuntimeContext) =>
        void runtime.get(propagatorsKey).push({ inject: () => ({ traceparent: "00-t" }) }),
    });
    const server = answering(jsonResponse({}));
    await post(fetchWithPlugins([saying], server), urls.chat, asked);
    expect(server.asked[0]?.headers.get("traceparent")).toBe("00-t");
  });

  it("a call and a stream make at most 1.1 times the promises", async () => {
    const events = [
      { type: "message_start", message: { id: "m", role: "assistant", content: [], usage: { input_tokens: 1 } } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      ...Array.from({ length: 100 }, () => ({
        type: "content_block_delta",
        index: 0,
        delta: { type: "text_delta", text: "word " },
      })),
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } },
      { type: "message_stop" },
    ].map((event) => eventText(event));
    const fetch = async (_: unknown, init: RequestInit = {}) =>
      String(init.body).includes('"stream":true')
        ? sse(...events)
        : jsonResponse({ id: "m", type: "message", role: "assistant", content: [] });
    const bare = new Anthropic({ apiKey: "none", openTelemetry: false, fetch });
    const params = { model: "m", max_tokens: 9, messages: [{ role: "user" as const, content: "Hi." }] };
    const count = (client: Anthropic, stream: boolean): Promise<number> =>
      promisesOf(async () => {
        if (stream) for await (const _event of await client.messages.create({ ...params, stream }));
        else await client.messages.create(params);
      });
    const wrapped = withPlugins(bare, [book().plugin]);
    for (const stream of [false, true]) {
      const without = await count(bare, stream);
      expect(without).toBeGreaterThan(20);
      expect(await count(wrapped, stream)).toBeLessThanOrEqual(1.1 * without);
    }
  });
});
