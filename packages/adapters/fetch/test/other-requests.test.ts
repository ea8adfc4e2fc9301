import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { fetchWithPlugins, withPlugins } from "@suite/fetch";
import OpenAI from "openai";
import { answering, jsonResponse, post, watching } from "./fake.js";

const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
afterEach(() => {
  warn.mockClear();
});

const server = () => answering(...[1, 2, 3, 4].map(() => () => jsonResponse({})));
const at = (path: string) => `http://localhost:11434${path}`;

describe("a request that speaks no known protocol", () => {
  it("passes, and is told once per path, without what may be an id", async () => {
    const fetch = fetchWithPlugins([watching], server());
    for (const _ of [1, 2]) await post(fetch, at("/api/chat"), {});
    await post(fetch, at("/api/0123456789abcdef0123/generate"), {});
    expect(warn.mock.calls.map(([text]) => /POST (\S+)/.exec(String(text))?.[1])).toEqual([
      "/api/chat",
      "/api/…/generate",
    ]);
  });

  it("is refused where that was chosen, and is not sent, however often what was wrapped is wrapped again", async () => {
    const own = server();
    const fetch = fetchWithPlugins([watching], own, { others: "refuse" });
    const again = fetchWithPlugins([{ ...watching, name: "other" }], fetch);
    const client = withPlugins(new OpenAI({ apiKey: "none", maxRetries: 0, fetch }), [{ ...watching, name: "third" }]);
    for (const each of [fetch, again]) {
      await expect(post(each, at("/api/generate"), {})).rejects.toMatchObject({ code: "ERR_FETCH_UNKNOWN_PATH" });
    }
    await expect(client.post("/own", { body: {} })).rejects.toThrow();
    expect(own.asked).toHaveLength(0);
    await post(fetch, at("/v1/chat/completions"), { messages: [] });
    expect(own.asked).toHaveLength(1);
  });

  it("passes without a warning if configured, or if the README lists it", async () => {
    await post(fetchWithPlugins([watching], server(), { others: "pass" }), at("/api/pass"), {});
    for (const path of ["/v1/embeddings", "/v1/messages/count_tokens", "/v1/files"]) {
      await post(fetchWithPlugins([watching], server()), at(path), {});
    }
    await fetchWithPlugins([watching], server())(at("/api/tags"));
    expect(warn).not.toHaveBeenCalled();
  });
});
