import { Readable } from "node:stream";
import { describe, expect, it, jest } from "@jest/globals";
import { definePlugin, type Plugin } from "@suite/core";
import { type Fetch, fetchWithPlugins, withPlugins } from "@suite/fetch";
import OpenAI from "openai";
import { answering, eventText, jsonResponse, post, sse, urls, watching } from "./fake.js";
import { collect, rejection } from "./support.js";

jest.spyOn(console, "warn").mockImplementation(() => {});

const observing = definePlugin({ name: "observing", observe() {} });
const layered = { ...watching, embedding: (_: unknown, callNext: () => Promise<void>) => callNext() } as Plugin;
const client = (fetch: Fetch) => new OpenAI({ apiKey: "none", maxRetries: 0, logLevel: "off", fetch });
const asked = { model: "m", messages: [{ role: "user" as const, content: "Hello." }] };
const piece = 'data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n';
const said = { id: "c", object: "chat.completion", choices: [{ index: 0, message: { content: "Hi" } }] };

describe.each([
  ["plugins without a layer", observing],
  ["a layer", layered],
])("a fetch of the user's own, with %s,", (_, plugin) => {
  it("keeps what is attached to it, which clients ask for", async () => {
    class Own extends Response {}
    const fetch = Object.assign(answering(jsonResponse({ data: [] })), { Response: Own, preconnect() {} });
    const wrapped = fetchWithPlugins([plugin], fetch);
    expect({ ...wrapped }).toMatchObject({ Response: Own, preconnect: fetch.preconnect });
    const { images } = withPlugins(client(fetch), [plugin]);
    await images.edit({ prompt: "x", image: new File(["x"], "x.png") });
    expect(fetch.asked).toHaveLength(1);
  });

  it.each(["chat", "embeddings"])("may give an error in place of throwing it (%s)", async (api) => {
    const error = new Error("no network");
    const fetch: Fetch = async () => error as unknown as Response;
    const ask = (own: OpenAI): Promise<unknown> =>
      api === "chat" ? own.chat.completions.create(asked) : own.embeddings.create({ model: "m", input: "a" });
    const [bare, wrapped] = [
      await rejection(ask(client(fetch))),
      await rejection(ask(withPlugins(client(fetch), [plugin]))),
    ];
    expect([wrapped.constructor, wrapped.message, wrapped.cause]).toEqual([bare.constructor, bare.message, error]);
  });

  it("may give nothing", async () => {
    const fetch = fetchWithPlugins([plugin], () => Promise.resolve(undefined as unknown as Response));
    expect(await post(fetch, urls.chat, asked)).toBeUndefined();
  });

  it("may stream a body of Node's", async () => {
    const answer = () => {
      const response = sse();
      return Object.defineProperty(response, "body", {
        value: Readable.from([Buffer.from(piece), Buffer.from(piece)]),
      });
    };
    const ask = async (own: OpenAI) => collect(await own.chat.completions.create({ ...asked, stream: true }));
    const bare = await ask(client(answering(answer)));
    expect(await ask(withPlugins(client(answering(answer)), [plugin]))).toEqual(bare);
    expect(bare).toHaveLength(2);
  });

  it("finds its body let go, however the reader leaves", async () => {
    const event = (type: string, more: object = {}) => eventText({ type, ...more });
    const ends = {
      "read to the end": [event("response.created"), event("response.completed", { response: {} })],
      "cut off": [event("response.created")],
      left: [event("response.created"), event("response.in_progress"), event("response.in_progress")],
    };
    for (const [way, events] of Object.entries(ends)) {
      const response = sse(...events);
      const stream = await withPlugins(client(answering(response)), [plugin]).responses.create({
        ...{ model: "m", input: "x", stream: true },
      });
      for await (const _event of stream) if (way === "left") break;
      expect([way, response.body?.locked]).toEqual([way, false]);
    }
  });

  it("finds its headers in the client's error, the very object", async () => {
    const response = sse('event: error\ndata: {"error":{"message":"no"}}\n\n');
    const stream = await withPlugins(client(answering(response)), [plugin]).chat.completions.create({
      ...{ ...asked, stream: true },
    });
    expect((await rejection(collect(stream))).headers).toBe(response.headers);
  });

  it("has given its answer before an abort: the answer counts, as bare", async () => {
    const ask = async (wrap: (own: OpenAI) => OpenAI) => {
      const controller = new AbortController();
      const fetch: Fetch = async () => {
        queueMicrotask(() => controller.abort());
        return jsonResponse(said);
      };
      return wrap(client(fetch)).chat.completions.create(asked, { signal: controller.signal });
    };
    // Newer clients look at the signal once more before they parse: then bare is an error, too.
    const ended = (asking: Promise<object>) => asking.catch((error: Error) => ({ error: `${error}` }));
    const bare = await ended(ask((own) => own));
    expect(bare).toMatchObject("error" in bare ? { error: "Error: Request was aborted." } : said);
    expect(await ended(ask((own) => withPlugins(own, [plugin])))).toEqual(bare);
  });
});

it("receives the signal of its request if the answer does not stream", async () => {
  const given: unknown[] = [];
  const fetch = fetchWithPlugins([layered], async (_, init) => {
    given.push(init?.signal);
    return jsonResponse(said);
  });
  const { signal } = new AbortController();
  const body = JSON.stringify(asked);
  await fetch(urls.chat, { method: "POST", body, signal });
  await fetch(urls.chat, { method: "POST", body });
  expect(given[0]).toBe(signal);
  expect(given[1]).toBeUndefined();
});

it("an abort ends a call whose layer hangs", async () => {
  const controller = new AbortController();
  const hanging = definePlugin({
    name: "hanging",
    model() {
      controller.abort();
      return new Promise<void>(() => {});
    },
  });
  const answer = withPlugins(client(answering()), [hanging]).chat.completions.create(asked, {
    signal: controller.signal,
  });
  expect((await rejection(answer)).constructor.name).toBe("APIUserAbortError");
});
