import { describe, expect, it } from "@jest/globals";
import { startModelServer } from "@suite/testkit";
import { rejection, useServer } from "./clients.js";

const use = useServer();
const chat = { model: "m", messages: [{ role: "user" as const, content: "Hello" }] };
const post = (body: string, path = "/v1/chat/completions") =>
  fetch(`${use.server.url}${path}`, { method: "POST", body });

describe("the script", () => {
  it("is a queue, and then a function of the request", async () => {
    use.server.script({ text: "first" }, (request) => ({ text: `asked at ${request.path}` }));
    const client = use.openai();
    const texts = [];
    for (let i = 0; i < 3; i++) texts.push((await client.chat.completions.create(chat)).choices[0]?.message.content);
    expect(texts).toEqual(["first", "asked at /v1/chat/completions", "asked at /v1/chat/completions"]);
  });

  it("that is used up is a 500 that says how many answers there were, which no client retries", async () => {
    use.server.script({ text: "a" }, { text: "b" });
    const client = use.openai(2);
    await client.chat.completions.create(chat);
    await client.chat.completions.create(chat);
    const error = await rejection(client.chat.completions.create(chat));
    expect(error).toMatchObject({ status: 500, message: expect.stringContaining("2 answers were scripted") });
    expect(use.server.requests).toHaveLength(3);
  });

  it("responds with 500 and the reason if its function throws or returns nothing", async () => {
    use.server.script(() => undefined);
    expect(await (await post("{}")).text()).toContain("returned no answer");
    use.server.script(() => {
      throw new Error("no such case");
    });
    expect(await (await post("{}")).text()).toContain("no such case");
  });

  it.each([
    ["pieces that do not add up", { text: "abc", chunks: ["a", "b"] }],
    ["a chunk size of 0", { text: "abc", chunks: 0 }],
    ["arguments without a JSON form", { toolCalls: [{ name: "t", arguments: undefined }] }],
    ["nothing", null as never],
  ])("is refused where it is written, when it has %s", (_, answer) => {
    expect(() => use.server.script(answer)).toThrow(expect.objectContaining({ code: "ERR_TESTKIT_INVALID_ANSWER" }));
  });
});

describe("requests", () => {
  it("are recorded with method, path, headers and parsed body", async () => {
    use.server.script({ text: "a" });
    await use.anthropic().messages.create({ ...chat, max_tokens: 5 });
    expect(use.server.requests).toEqual([
      expect.objectContaining({
        method: "POST",
        path: "/v1/messages",
        headers: expect.objectContaining({
          "user-agent": expect.stringContaining("Anthropic"),
          "content-type": "application/json",
        }),
        body: { ...chat, max_tokens: 5 },
      }),
    ]);
    await expect(use.server.requests[0]?.ended).resolves.toBe("completed");
  });

  it("that are not JSON are refused with 400, unknown paths with 404, other methods with 405", async () => {
    expect((await post("{")).status).toBe(400);
    expect((await post('"text"')).status).toBe(400);
    expect((await post("{}", "/v1/other")).status).toBe(404);
    expect((await fetch(`${use.server.url}/v1/messages`)).status).toBe(405);
    expect(use.server.requests).toHaveLength(4);
  });

  it("that are too long are refused with 413, told or not how long they are", async () => {
    const server = await startModelServer({ maxBodyBytes: 1000 });
    const long = JSON.stringify({ text: "x".repeat(2_000_000) });
    const told = await fetch(`${server.url}/v1/messages`, { method: "POST", body: long });
    expect(told.status).toBe(413);
    expect(told.headers.get("connection")).toBe("close");
    const body = new Blob([long]).stream();
    const untold = await fetch(`${server.url}/v1/messages`, { method: "POST", body, duplex: "half" } as RequestInit);
    expect(untold.status).toBe(413);
    expect(server.requests.map((request) => request.body)).toEqual([undefined, undefined]);
    await server.close();
  });

  it("beyond the limit push out the oldest", async () => {
    const server = await startModelServer({ maxRequests: 2 });
    for (const n of [1, 2, 3]) await fetch(`${server.url}/${n}`);
    expect(server.requests.map((request) => request.path)).toEqual(["/2", "/3"]);
    await server.close();
  });
});

describe("the server", () => {
  it("says so clearly when its port is in use", async () => {
    const error = await rejection(startModelServer({ port: use.server.port }));
    expect(error).toMatchObject({
      code: "ERR_TESTKIT_PORT_IN_USE",
      message: expect.stringContaining(String(use.server.port)),
    });
  });

  it("says so clearly when it cannot listen for another reason", async () => {
    const error = await rejection(startModelServer({ port: 70_000 }));
    expect(error).toMatchObject({ code: "ERR_TESTKIT_LISTEN" });
  });

  it("closes at once, connections that hang or wait included, and only once", async () => {
    const server = await startModelServer();
    server.script(
      { fault: { hang: "before-headers" } },
      { text: "a", fault: { hang: 1 } },
      { text: "a", fault: { delay: 60_000 } },
    );
    const asked = [1, 2, 3].map(() =>
      fetch(`${server.url}/v1/messages`, { method: "POST", body: '{"stream":true}' }).then((r) => r.text()),
    );
    const ended = Promise.allSettled(asked);
    while (server.requests.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    await Promise.all([server.close(), server.close()]);
    expect((await ended).map((end) => end.status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(await Promise.all(server.requests.map((request) => request.ended))).toEqual(["closed", "closed", "closed"]);
    await expect(fetch(server.url)).rejects.toMatchObject({ message: "fetch failed" });
  });

  it("serves several requests at the same time", async () => {
    use.server.script({ text: "slow", fault: { delay: 100 } }, { text: "fast" });
    const order: unknown[] = [];
    const client = use.openai();
    await Promise.all(
      [1, 2].map(async () => order.push((await client.chat.completions.create(chat)).choices[0]?.message.content)),
    );
    expect(order).toEqual(["fast", "slow"]);
  });
});

describe("embeddings", () => {
  it("give each text a vector of length 1, the same for the same text, without a script", async () => {
    const { data } = await use.openai().embeddings.create({ model: "e", input: ["a", "b", "a"], dimensions: 16 });
    const [a, b, again] = data.map((item) => item.embedding);
    expect(a).toHaveLength(16);
    expect(a).toEqual(again);
    expect(a).not.toEqual(b);
    expect(Math.hypot(...(a ?? []))).toBeCloseTo(1, 5);
  });
});
