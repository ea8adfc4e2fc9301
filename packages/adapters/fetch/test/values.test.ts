import { describe, expect, it, jest } from "@jest/globals";
import type { Plugin } from "@suite/core";
import { fetchWithPlugins } from "@suite/fetch";
import { redacting } from "@suite/testkit";
import { answering, jsonResponse, post, sse, urls, watching } from "./fake.js";
import { ask, encode, gemini, messages, said, secret, streams, through } from "./streams.js";
import { rejection } from "./support.js";

jest.spyOn(console, "warn").mockImplementation(() => {});

const asked = { model: "m", stream: true, messages: [], input: [] };

describe("events that are no JSON objects", () => {
  describe.each(streams)("a stream of %s with events that are JSON and no object", (_, url, stream) => {
    const values = ["[1]", '"text"', "null", "0", "true", `["${secret}"]`];
    const events = stream.split(/(?<=\n\n)/);
    const full = events
      .flatMap((event, index) => (index === events.length - 1 ? event : [event, `data: ${values[index % 6]}\n\n`]))
      .join("");

    it("passes as it came", async () => {
      const fetch = fetchWithPlugins([watching], answering(sse(full)));
      expect(await (await post(fetch, url, asked)).text()).toBe(full);
      const alone = fetchWithPlugins([watching], answering(sse(`data: null\n\n`)));
      expect(await (await post(alone, url, asked)).text()).toBe("data: null\n\n");
    });

    it("is looked at, these too, and says the same", async () => {
      const got = await through(url, encode(full));
      expect(got).not.toContain(secret);
      expect(got).toContain('data: ["[EMAIL]"]');
      for (const value of values.slice(0, 5)) expect(got).toContain(`data: ${value}\n\n`);
      expect(said(got)).toBe("Grüß 👋 [EMAIL], please.");
    });
  });

  it("the items of a list that are no objects are looked at, and pass as they came", async () => {
    const list = `[1, "${secret}",\n[2, {"a": "]"}] ,null, {"candidates":[{"content":{"parts":[{"text":"Hi"}]}}]} , {}, "]"]\n`;
    const answered = async (plugin: Plugin, text: string) =>
      (
        await post(fetchWithPlugins([plugin], answering(jsonResponse(text))), `${gemini}:streamGenerateContent`, {})
      ).text();
    const guard = { ...redacting(), whereOffered: ["tool", "embedding"] as const };
    for (const text of [list, list.replace(/\s/g, ""), "[]", '["a"]', '{"candidates":[]}']) {
      expect(await answered(watching, text)).toBe(text);
    }
    const guarded = await answered(guard, list);
    expect(guarded).not.toContain(secret);
    expect(JSON.parse(guarded)).toEqual(expect.arrayContaining([1, "[EMAIL]", [2, { a: "]" }], null, {}, "]"]));
  });

  it.each(["event: other\n", "", "event: ping\n"])(
    "an event that Anthropic's client does not read (%j) need not be JSON, and is looked at",
    async (name) => {
      const events = [`${name}data: by ${secret}\n\n`, messages].join("");
      const fetch = fetchWithPlugins([watching], answering(sse(events)));
      expect(await (await post(fetch, urls.messages, asked)).text()).toBe(events);
      const got = await through(urls.messages, encode(events));
      expect(got).toContain("by [EMAIL]");
      expect(got).not.toContain(secret);
    },
  );

  it.each(["overloaded", '{"type":"other","message":"overloaded"}'])(
    "an error of Anthropic's that reads %s is the client's own error, as bare",
    async (data) => {
      const server = () => answering(sse(`event: error\ndata: ${data}\n\n`));
      const [bare, wrapped] = [
        await rejection(ask("messages", server())),
        await rejection(ask("messages", fetchWithPlugins([watching], server()))),
      ];
      expect([wrapped.constructor, wrapped.message]).toEqual([bare.constructor, bare.message]);
    },
  );
});
