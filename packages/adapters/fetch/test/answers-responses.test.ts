import { describe, expect, it } from "@jest/globals";
import { changing, eventText, streamed, urls, whole } from "./fake.js";

describe("responses", () => {
  const place = { item_id: "i", output_index: 0 };
  const item = { id: "i", type: "code_interpreter_call", status: "completed", code: "print(secret)" };
  const tool = eventText(
    { type: "response.created", sequence_number: 0, response: { id: "r", output: [] } },
    { type: "response.output_item.added", sequence_number: 1, output_index: 0, item: { ...item, code: "" } },
    { type: "response.code_interpreter_call_code.delta", sequence_number: 2, ...place, delta: "print(sec" },
    { type: "response.code_interpreter_call_code.delta", sequence_number: 3, ...place, delta: "ret)" },
    { type: "response.code_interpreter_call_code.done", sequence_number: 4, ...place, code: "print(secret)" },
    { type: "response.output_item.done", sequence_number: 5, output_index: 0, item },
    { type: "response.completed", sequence_number: 6, response: { id: "r", status: "completed", output: [item] } },
  );
  const redact = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll("secret", "X"));

  it("layers see the code of a provider's tool in pieces, and its copies follow", async () => {
    expect(
      await streamed(
        urls.responses,
        tool,
        changing((delta) => delta),
      ),
    ).toBe(tool);
    const told = await streamed(
      urls.responses,
      tool,
      changing((delta) =>
        delta.type === "arguments"
          ? { ...delta, json: delta.json.replace("sec", "X").replace("ret", "") }
          : redact(delta),
      ),
    );
    expect(told).not.toMatch(/secret|sec"|ret\)/);
    expect(told.match(/print\(X\)/g)).toHaveLength(3);
    expect(told.match(/"sequence_number":(\d+)/g)).toEqual(
      [0, 1, 2, 3, 4, 5, 6].map((number) => `"sequence_number":${number}`),
    );
  });

  it("text that a server sends only at the end passes through the layers", async () => {
    const content = [{ type: "output_text", text: "hi", annotations: [] }];
    const output = [
      { id: "i", type: "message", role: "assistant", content },
      { id: "f", type: "function_call", call_id: "c", name: "look", arguments: '{"of":"x"}' },
    ];
    const events = eventText({ type: "response.completed", response: { id: "r", status: "completed", output } });
    const told = await streamed(urls.responses, events);
    expect(told).toContain('"text":"HI"');
    expect(told).not.toContain('"hi"');
  });

  it("encrypted reasoning stays when its summary is changed", async () => {
    const reasoning = {
      id: "rs",
      type: "reasoning",
      summary: [{ type: "summary_text", text: "i think" }],
      encrypted_content: "gAAA",
    };
    const body = { id: "r", status: "completed", output: [reasoning] };
    expect(
      await whole(
        urls.responses,
        body,
        changing((delta) => delta),
      ),
    ).toEqual(body);
    expect((await whole(urls.responses, body)).output).toEqual([
      { ...reasoning, summary: [{ type: "summary_text", text: "I THINK" }] },
    ]);
  });

  it("text at an unexpected position, or without an item, passes through the layers", async () => {
    const content = [{ type: "output_text", text: "secret" }];
    const early = { id: "i", type: "message", role: "assistant", content };
    const events = eventText(
      { type: "response.created", response: { id: "r" } },
      { type: "response.output_item.added", output_index: 0, item: early },
      { type: "response.content_part.added", ...place, content_index: 0, part: content[0] },
      { type: "response.audio.transcript.delta", delta: "secret" },
      { type: "response.completed", response: { id: "r", status: "completed", output: [early] } },
    );
    const told = await streamed(
      urls.responses,
      events,
      changing((delta) => (JSON.stringify(delta).includes("secret") ? redact(delta) : delta)),
    );
    expect(told).not.toContain("secret");
    expect(told).toContain('"delta":"X"');
    expect(told).toContain('"text":"X"');
  });

  it("arguments that no piece contained are reported at the end, and the call once", async () => {
    const call = { id: "f", type: "function_call", call_id: "c", name: "look" };
    const events = eventText(
      { type: "response.output_item.added", output_index: 0, item: { ...call, arguments: "" } },
      { type: "response.output_item.done", output_index: 0, item: { ...call, arguments: '{"of":"x"}' } },
      { type: "response.completed", response: { id: "r", output: [{ ...call, arguments: '{"of":"x"}' }] } },
    );
    expect(
      await streamed(
        urls.responses,
        events,
        changing((delta) => delta),
      ),
    ).toBe(events);
    const told = await streamed(urls.responses, events);
    expect(told.match(/event: response.output_item.added/g)).toHaveLength(1);
    expect(told.match(/{\\"OF\\":\\"X\\"}/g)).toHaveLength(2);
  });

  it("annotations that a guard takes out are taken out wherever they are repeated", async () => {
    const part = { type: "output_text", text: "Hi.", annotations: [{ url: "secret" }] };
    const message = { id: "i", type: "message", role: "assistant", content: [part] };
    const events = eventText(
      { type: "response.output_item.added", output_index: 0, item: { ...message, content: [] } },
      { type: "response.content_part.added", ...place, content_index: 0, part: { ...part, text: "", annotations: [] } },
      { type: "response.output_text.delta", ...place, content_index: 0, delta: "Hi." },
      {
        type: "response.output_text.annotation.added",
        ...place,
        content_index: 0,
        annotation_index: 0,
        annotation: part.annotations[0],
      },
      { type: "response.output_text.done", ...place, content_index: 0, text: "Hi." },
      { type: "response.content_part.done", ...place, content_index: 0, part },
      { type: "response.output_item.done", output_index: 0, item: message },
      { type: "response.completed", response: { id: "r", output: [message] } },
    );
    expect(
      await streamed(
        urls.responses,
        events,
        changing((delta) => delta),
      ),
    ).toBe(events);
    const told = await streamed(
      urls.responses,
      events,
      changing((delta) => (JSON.stringify(delta).includes("secret") ? undefined : delta)),
    );
    expect(told).not.toContain("secret");
    expect(told).toContain("Hi.");
  });

  it("annotations stay with text that is not changed", async () => {
    const part = { type: "output_text", text: "HI", annotations: [{ type: "url_citation", url: "https://x.example" }] };
    const body = { id: "r", status: "completed", output: [{ type: "message", content: [part] }] };
    expect(await whole(urls.responses, body)).toEqual(body);
    const changed = { ...body, output: [{ type: "message", content: [{ ...part, text: "hi" }] }] };
    expect((await whole(urls.responses, changed)).output[0].content[0]).toMatchObject({ text: "HI", annotations: [] });
  });
});
