import { describe, expect, it } from "@jest/globals";
import { definePlugin, message, override, type Plugin, textOf } from "@suite/core";
import { fetchWithPlugins } from "@suite/fetch";
import { pii } from "@suite/pii";

const email = "canary.jane@leak.example";

/** Asks the model of each request for a title, and remembers what it says. */
const titling = (titles: string[], settings?: { readonly temperature: number }): Plugin =>
  definePlugin({
    name: "titling",
    async model({ request, runtime, call }, callNext) {
      if (request.purpose === undefined) {
        const asked = { messages: [message("user", `A title for ${email}?`)], ...(settings && { settings }) };
        const reply = await runtime.ask?.(asked, { parent: call, purpose: "title" });
        titles.push(textOf(reply?.message.parts ?? []));
      }
      await callNext();
    },
  });
const guard = { ...pii({ email: "redact" }), whereOffered: ["tool", "embedding"] };

interface Sent {
  readonly url: string;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** A server that answers a plain request with the first body, and one for a stream with the events. */
function server(whole: object, events: readonly object[]) {
  const sent: Sent[] = [];
  const fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const body = JSON.parse(String(init.body)) as Record<string, unknown>;
    sent.push({ url: String(input), headers: new Headers(init.headers), body });
    const streams = body.stream === true || String(input).includes(":stream");
    return streams
      ? new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""), {
          headers: { "content-type": "text/event-stream" },
        })
      : Response.json(whole);
  };
  return { sent, fetch };
}

async function ask(url: string, body: object, made: ReturnType<typeof server>, plugins: readonly Plugin[]) {
  const fetch = fetchWithPlugins(plugins as never, made.fetch);
  const headers = { "content-type": "application/json", "idempotency-key": "1", authorization: "Bearer k" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  return response.text();
}

const chat = {
  whole: { id: "1", model: "gpt-5", choices: [{ index: 0, message: { role: "assistant", content: "Onions" } }] },
  events: [{ id: "2", choices: [{ index: 0, delta: { role: "assistant", content: "Hello." } }] }],
  body: {
    model: "gpt-5",
    messages: [{ role: "user", content: "Hello." }],
    max_tokens: 9,
    user: email,
    stream: true,
    stream_options: { include_usage: true },
    parallel_tool_calls: false,
    tools: [{ type: "function", function: { name: "look", parameters: { type: "object" } } }],
    tool_choice: "auto",
    response_format: { type: "json_schema", json_schema: { name: "a", schema: { type: "object" } } },
  },
};
const url = "https://api.openai.com/v1/chat/completions";

describe("what a plugin asks the model of a request", () => {
  it("has the request's server, headers and settings, and nothing of its conversation, tools, or stream", async () => {
    const made = server(chat.whole, chat.events);
    const titles: string[] = [];
    const text = await ask(url, chat.body, made, [titling(titles)]);
    expect(titles).toEqual(["Onions"]);
    expect(text).toContain("Hello.");
    expect(text).not.toContain("Onions");
    const [asked, own] = made.sent;
    expect(asked?.url).toBe(url);
    expect(asked?.body).toEqual({
      model: "gpt-5",
      messages: [{ role: "user", content: `A title for ${email}?` }],
      max_tokens: 9,
      user: email,
    });
    expect([asked?.headers.get("authorization"), asked?.headers.get("idempotency-key")]).toEqual(["Bearer k", null]);
    expect([own?.headers.get("idempotency-key"), own?.body]).toEqual(["1", chat.body]);
  });

  it("goes through the layers, the settings that it takes over too", async () => {
    const made = server(chat.whole, chat.events);
    const unnamed = definePlugin({
      name: "unnamed",
      async model(invocation, callNext) {
        const { user: _, ...settings } = invocation.request.settings ?? {};
        invocation.request = override(invocation.request, { settings });
        await callNext();
      },
    });
    await ask(url, chat.body, made, [titling([], { temperature: 0 }), guard as Plugin, unnamed]);
    expect(JSON.stringify(made.sent)).not.toContain("jane");
    expect(made.sent[0]?.body).toMatchObject({ max_tokens: 9, temperature: 0 });
  });

  it("is requested from Google without streaming, even if the original request streams", async () => {
    const made = server({ candidates: [{ content: { role: "model", parts: [{ text: "Onions" }] } }] }, [
      { candidates: [{ content: { role: "model", parts: [{ text: "Hello." }] } }] },
    ]);
    const titles: string[] = [];
    const base = "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash";
    const body = {
      systemInstruction: { parts: [{ text: "Be kind." }] },
      contents: [{ role: "user", parts: [{ text: "Hello." }] }],
      generationConfig: { maxOutputTokens: 9 },
    };
    const text = await ask(`${base}:streamGenerateContent?alt=sse&key=k`, body, made, [titling(titles)]);
    expect([titles, text.includes("Hello.")]).toEqual([["Onions"], true]);
    expect(made.sent[0]?.url).toBe(`${base}:generateContent?key=k`);
    expect(made.sent[0]?.body).toMatchObject({ generationConfig: { maxOutputTokens: 9 } });
    expect(JSON.stringify(made.sent[0]?.body)).not.toContain("Be kind.");
  });

  it("that the server refuses is an error of the plugin's, and one that it lets through is the client's", async () => {
    const fetch = async () => Response.json({ error: { message: "No such model." } }, { status: 404 });
    const text = await ask(url, { ...chat.body, stream: false }, { sent: [], fetch }, [titling([])]);
    expect(text).toContain("No such model.");
  });
});
