import { describe, expect, it, jest } from "@jest/globals";
import { definePlugin, type Invocation } from "@suite/core";
import { fetchWithPlugins } from "@suite/fetch";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { EventReader } from "../src/sse/read.js";
import { answering, eventText, post, sse, urls, watching } from "./fake.js";
import { ask, encode, guard, said, secret, streams, through } from "./streams.js";

jest.spyOn(console, "warn").mockImplementation(() => {});

const cutAt = (bytes: Uint8Array, places: readonly number[]): Uint8Array[] => {
  const bounds = [0, ...[...places].sort((a, b) => a - b), bytes.length];
  return bounds.slice(1).map((end, index) => bytes.subarray(bounds[index], end));
};

describe.each(streams)("a stream of %s", (_, url, stream) => {
  const bytes = encode(stream);
  const expected = "Grüß 👋 [EMAIL], please.";

  it("says the same wherever its bytes are cut, and nowhere the secret", async () => {
    const places = fc.array(fc.nat(bytes.length), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(places, async (cuts) => {
        const got = await through(url, ...cutAt(bytes, cuts));
        expect(said(got)).toBe(expected);
        expect(got).not.toContain(secret);
      }),
      { numRuns: runs(15) },
    );
  }, 60_000);

  it.each([
    ["with CRLF", stream.replaceAll("\n", "\r\n")],
    ["with CR", stream.replaceAll("\n", "\r")],
    ["with comments and other fields", stream.replaceAll("data: ", ": a comment\nretry: 3\nfoo: bar\ndata: ")],
    ["behind a byte order mark", `\uFEFF${stream}`],
    ["with data in several lines", stream.replaceAll('":', '":\ndata: ')],
  ])("says the same %s, byte by byte", async (_name, other) => {
    const got = await through(url, ...Array.from(encode(other), (byte) => Uint8Array.of(byte)));
    expect(said(got)).toBe(expected);
    expect(got).not.toContain(secret);
  });

  it("that breaks off anywhere tells no more than came", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length), async (end) => {
        const got = await through(url, bytes.subarray(0, end)).catch(String);
        expect(got).not.toContain(secret);
      }),
      { numRuns: runs(15) },
    );
  }, 60_000);
});

describe("hostile bodies", () => {
  const asked = { model: "m", stream: true, messages: [] };

  it("an event longer than what is buffered is refused", async () => {
    const reader = new EventReader(1000);
    const feed = () => {
      for (let times = 0; times < 100; times++) expect(reader.feed("data: aaaaaaaa")).toEqual([]);
    };
    expect(feed).toThrow(expect.objectContaining({ code: "ERR_FETCH_EVENT_TOO_LONG" }));
  });

  it.each(["{broken", "[1", `"${secret}`, "text"])(
    "an event with %s goes on as a broken one without its content",
    async (data) => {
      const fetch = fetchWithPlugins([watching], answering(sse(`data: ${data}\n\n`)));
      expect(await (await post(fetch, urls.chat, asked)).text()).toBe("data: {\n\n");
    },
  );

  it.each([
    ["chat completions", ""],
    ["responses", ""],
    ["messages", "event: content_block_delta\n"],
  ])("a torn event of %s is the client's own SyntaxError, without its text", async (api, name) => {
    const seen: unknown[] = [];
    const witness = definePlugin({
      name: "witness",
      async model(invocation: Invocation<"model">, callNext) {
        await callNext();
        invocation.pipe({ settle: (end) => void seen.push("error" in end ? end.error : end.status) });
      },
    });
    const logged = jest.spyOn(console, "error").mockImplementation(() => {});
    const error = await ask(
      api,
      fetchWithPlugins([witness], answering(sse(`${name}data: {"text":"${secret}\n\n`))),
    ).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ name: "SyntaxError" });
    expect(String(error) + JSON.stringify(logged.mock.calls)).not.toContain(secret);
    logged.mockRestore();
    expect(seen).toEqual([expect.objectContaining({ code: "ERR_FETCH_ANSWER_UNREADABLE" })]);
  });

  it.each(["{broken", "[1]", "<html>"])("an answer that is %s passes unchanged, and guards see it", async (body) => {
    const text = `${body} ${secret} `;
    const answered = async (fetch: ReturnType<typeof fetchWithPlugins>): Promise<string> =>
      (await post(fetch, urls.chat, { model: "m", messages: [] })).text();
    expect(await answered(fetchWithPlugins([watching], answering(new Response(text))))).toBe(text);
    expect(await answered(fetchWithPlugins([guard], answering(new Response(text))))).toBe(`${body} [EMAIL] `);
  });

  it("a request that is no JSON object is not sent", async () => {
    const server = answering();
    const response = await fetchWithPlugins([watching], server)(urls.chat, { method: "POST", body: "Hello." });
    await expect(response.text()).rejects.toMatchObject({ code: "ERR_FETCH_REQUEST_UNREADABLE" });
    expect(server.asked).toHaveLength(0);
  });

  it("objects of any shape in the places of others break nothing", async () => {
    const json = fc.jsonValue({ maxDepth: 3 });
    const field = fc.constantFrom("choices", "content", "output", "message", "usage", "type", "delta", "id");
    const odd = fc.dictionary(field, fc.oneof(json, fc.array(fc.dictionary(field, json))));
    await fc.assert(
      fc.asyncProperty(odd, fc.constantFrom(...Object.values(urls)), async (body, url) => {
        const fetch = fetchWithPlugins(
          [watching],
          answering(new Response(JSON.stringify(body)), sse(eventText({ ...body, type: "message_start" }))),
        );
        expect(JSON.parse(await (await post(fetch, url, { ...body, stream: false })).text())).toEqual(
          JSON.parse(JSON.stringify(body)),
        );
        await (await post(fetch, url, { ...body, stream: true }))
          .text()
          .catch((error) => expect(error.code).toBe("ERR_FETCH_REFUSED"));
      }),
      { numRuns: runs(60) },
    );
  }, 60_000);
});
