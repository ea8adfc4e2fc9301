import { describe, expect, it, jest } from "@jest/globals";
import { withPlugins } from "@suite/fetch";
import type { ModelAnswer } from "@suite/testkit";
import { found, text, watched } from "../../../../integration-tests/watched.js";
import { answers, objects, runners, type Wrapped } from "./entries.js";
import { useServer } from "./support.js";

jest.spyOn(console, "warn").mockImplementation(() => {});

const on = useServer();
const call = { id: "call_1", name: "look", arguments: { of: text } };
const all = [{ reasoning: text, text: `I look. ${text}`, toolCalls: [call, { ...call, id: "call_2" }], chunks: 7 }];
const rounds = [...all, { text, chunks: "characters" as const }];
const object = [{ text: JSON.stringify({ said: text }), chunks: 7 }];

async function swept(entry: (wrapped: Wrapped) => Promise<unknown>, script: readonly ModelAnswer[]) {
  on.server.script(...script);
  // Tools run in the user's own code: the guard goes without that hook.
  const apply = { output: true, toolArguments: true, systemPrompt: true, errors: true };
  const watch = watched({ apply, whereOffered: ["tool", "embedding", "agent"] });
  const reached: unknown[] = [];
  const openai = withPlugins(on.openai(), watch.plugins);
  const anthropic = withPlugins(on.anthropic(), watch.plugins);
  const seen = await entry({ openai, anthropic, reached });
  const sent = on.server.requests.map(({ body }) => body);
  return { seen, reached, sent, ...(await watch.written()) };
}

describe("with tracing, pii and audit, ten kinds of personal data are found nowhere", () => {
  it.each(Object.entries(answers))("around %s", async (_, entry) => {
    const { seen, sent, spans, records } = await swept(entry, all);
    for (const told of [seen, sent, spans, records]) expect(found(told)).toEqual([]);
    for (const told of [seen, sent, spans]) expect(JSON.stringify(told)).toContain("[REDACTED_EMAIL]");
    expect(spans.map(({ name }) => name)).toEqual(["chat m"]);
    expect(records.length).toBeGreaterThan(2);
  });

  it.each(Object.entries(runners))("around %s", async (_, entry) => {
    const { seen, reached, sent, spans, records } = await swept(entry, rounds);
    for (const told of [seen, sent, spans, records]) expect(found(told)).toEqual([]);
    expect(found(reached)).toEqual([]);
    expect(JSON.stringify(reached)).toContain("[REDACTED_EMAIL]");
    expect(spans.map(({ name }) => name)).toEqual(["chat m", "chat m"]);
  });

  it.each(Object.entries(objects))("around %s of an object", async (_, entry) => {
    const { seen, sent, spans, records } = await swept(entry, object);
    for (const told of [seen, sent, spans, records]) expect(found(told)).toEqual([]);
    expect(JSON.stringify(seen)).toContain("[REDACTED_EMAIL]");
  });
});

it("without pii they are found, so that the search is one", async () => {
  on.server.script(...all);
  const openai = on.openai();
  const seen = await answers["chat.completions.create, streamed"]?.({ openai, anthropic: on.anthropic(), reached: [] });
  expect(found(seen)).toHaveLength(10);
  expect(found(on.server.requests.map(({ body }) => body))).toHaveLength(10);
});
