import { describe, expect, it } from "@jest/globals";
import { fetchWithPlugins } from "@suite/fetch";
import type { ModelAnswer } from "@suite/testkit";
import { answering, jsonResponse, post, urls, watching } from "./fake.js";
import { useServer } from "./support.js";

const on = useServer();
const answer: ModelAnswer = {
  reasoning: { content: "I think of it.", signature: "signed" },
  text: "Grüß Gott, Ada 👋.",
  toolCalls: [
    { id: "call_1", name: "look", arguments: { of: ["Köln"] } },
    { id: "call_2", name: "now", arguments: {} },
  ],
  chunks: 4,
};
const paths = ["/v1/chat/completions", "/v1/responses", "/v1/messages"];
const bodies = {
  model: "m",
  messages: [{ role: "user", content: "Hello." }],
  input: "Hello.",
  stream_options: { include_usage: true },
  include: ["reasoning.encrypted_content"],
};

/** The answer as it comes without plugins and with one, apart from what counts answers. */
async function both(path: string, stream: boolean): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const fetch of [globalThis.fetch, fetchWithPlugins([watching])]) {
    on.server.script(answer);
    const response = await post(fetch, `${on.server.url}${path}`, { ...bodies, stream });
    const text = await response.text();
    texts.push(text.replaceAll(/(chatcmpl-|resp_|msg_|rs_|fc_)\d+/g, "$1n").replaceAll(/"created(_at)?":\d+/g, ""));
  }
  return texts;
}

describe("what no layer touches comes as the server sent it, byte by byte", () => {
  it.each(paths)("%s, whole", async (path) => {
    const [plain, wrapped] = await both(path, false);
    expect(wrapped).toBe(plain);
  });

  it.each(paths)("%s, streamed", async (path) => {
    const [plain, wrapped] = await both(path, true);
    expect(wrapped).toBe(plain);
  });
});

describe("what no layer touches is sent as the client made it", () => {
  it.each(Object.entries(urls))("%s", async (_, url) => {
    const server = answering(jsonResponse({}));
    const odd = '{ "model":"m",  "messages":[{"role":"user","content":"Hello."}], "input":"Hello.", "own":1.0 }';
    await fetchWithPlugins([watching], server)(url, { method: "POST", body: odd });
    expect(server.asked[0]?.body).toBe(odd);
  });
});
