import { describe, expect, it } from "@jest/globals";
import type { Delta } from "@suite/core";
import { AnswerEditor, type Draft, type Edit, type EventFormat, StreamEditor } from "@suite/core/editor";

interface Event {
  readonly body: Draft;
}

/** Events such as `{ n, text, copy, extra, end, last }`, which the provider numbers by `n`. */
const format = (): EventFormat<Event> => ({
  joinsAdded: false,
  number: "n",
  read(event, edit) {
    if (event === undefined) return edit.endAll();
    const { body } = edit;
    edit.rest("extra", body, new Set(["n", "text", "copy", "end", "last"]));
    edit.text("t", "text", body, "text");
    if (body.end) edit.end("t");
    edit.copy("t", "text", body, "copy");
    edit.terminal = body.last === true;
  },
  write: (_, body) => ({ body }),
  extra: (_, text) => ({ text }),
  added: (part) => [{ text: "content" in part ? part.content : "" }],
});

/** Sends events through a stage, and returns the events that come out. */
function through(
  bodies: readonly Draft[],
  stage: (delta: Delta) => readonly Delta[],
  rest: () => readonly Delta[] = () => [],
) {
  const editor = new StreamEditor<Event>(format());
  const events = bodies.map((body) => ({ body: structuredClone(body) }));
  for (const event of events) {
    for (const delta of editor.read(event, event.body)) for (const out of stage(delta)) editor.write(out);
  }
  editor.settle();
  for (const delta of rest()) editor.write(delta);
  editor.end();
  return { events, out: editor.out, bodies: editor.out.map(({ body }) => body) };
}

const text = (content: string): Delta => ({ type: "part", at: "t", part: { type: "text", content } });

const stream: readonly Draft[] = [
  { n: 0, text: "The " },
  { n: 1, text: "secret", extra: { padding: "x" } },
  { n: 2, text: " is." },
  { n: 3, end: true, copy: "The secret is." },
  { n: 4, last: true },
];

describe("StreamEditor", () => {
  it("returns the very events if nothing was changed", () => {
    const { events, out } = through(stream, (delta) => [delta]);
    expect(out).toHaveLength(events.length);
    for (const [index, event] of out.entries()) expect(event).toBe(events[index]);
  });

  it("moves held text to later events, and inserts one before the end if none is left", () => {
    const held: Delta[] = [];
    const late = (delta: Delta): readonly Delta[] => {
      if (delta.type !== "part" || delta.part.type !== "text") return [...held.splice(0), delta];
      held.push(delta);
      return held.length > 1 ? [held.shift() as Delta] : [];
    };
    expect(through(stream, late).bodies).toEqual([
      { n: 0, text: "" },
      { n: 1, text: "The ", extra: { padding: "x" } },
      { n: 2, text: "secret" },
      { n: 3, text: " is." },
      { n: 4, end: true, copy: "The secret is." },
      { n: 5, last: true },
    ]);
  });

  it("writes a changed text into the events and into their copies", () => {
    const redact = (delta: Delta): readonly Delta[] =>
      delta.type === "part" && delta.part.type === "text" && delta.part.content === "secret" ? [text("X")] : [delta];
    const { bodies } = through(stream, redact);
    expect(bodies[1]).toEqual({ n: 1, text: "X", extra: { padding: "x" } });
    expect(bodies[3]).toEqual({ n: 3, end: true, copy: "The X is." });
  });

  it("lets an event wait for a value that a stage holds, and for nothing else", () => {
    const editor = new StreamEditor<Event>(format());
    const values: Delta[] = [];
    for (const body of [
      { n: 0, extra: 1 },
      { n: 1, text: "Hi." },
    ]) {
      for (const delta of editor.read({ body }, body)) {
        if (delta.type === "event") values.push(delta);
        else if (delta.type !== "part") editor.write(delta);
      }
    }
    editor.settle();
    expect(editor.out).toEqual([]);
    for (const delta of values) editor.write(delta);
    editor.settle();
    expect(editor.out.map(({ body }) => body)).toEqual([
      { n: 0, extra: 1 },
      { n: 1, text: "" },
    ]);
  });

  it("sends a part that a plugin added before the last event", () => {
    const note: Delta = { type: "part", at: "note", part: { type: "text", content: "Noted." } };
    expect(
      through(
        stream,
        (delta) => [delta],
        () => [note],
      ).bodies.slice(-2),
    ).toEqual([
      { n: 4, text: "Noted." },
      { n: 5, last: true },
    ]);
  });
});

describe("AnswerEditor", () => {
  const read = (edit: Edit): void => {
    edit.text("t", "text", edit.body, "text");
    edit.part("c", { type: "tool_call", id: "1", name: "look", arguments: {} }, (part) => {
      if (part === undefined) delete edit.body.call;
    });
    edit.text("c", "arguments", edit.body.call as Draft, "json");
  };

  it("changes only the strings that layers changed", () => {
    const body: Draft = { text: "Hi.", call: { json: '{"of": "x"}' }, other: 1 };
    const editor = new AnswerEditor(body, read);
    const { parts } = editor.reply.message;
    expect(parts).toMatchObject([{ content: "Hi." }, { name: "look", arguments: { of: "x" } }]);
    expect(editor.write((index) => parts[index])).toBe(false);
    const other = new AnswerEditor(body, read);
    expect(other.write((index) => (index === 0 ? { type: "text", content: "Hello." } : parts[1]))).toBe(true);
    expect(body).toEqual({ text: "Hello.", call: { json: '{"of": "x"}' }, other: 1 });
  });

  it("removes a call that a layer removed", () => {
    const body: Draft = { text: "Hi.", call: { json: "{}" } };
    const editor = new AnswerEditor(body, read);
    expect(editor.write((index) => (index === 0 ? editor.reply.message.parts[0] : undefined))).toBe(true);
    expect(body).toEqual({ text: "Hi." });
  });
});
