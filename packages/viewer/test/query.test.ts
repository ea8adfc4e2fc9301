import { describe, expect, it } from "@jest/globals";
import { hasState, offeredStates, queryOf, withState } from "../src/run/query.js";
import { runOf } from "../src/run/run.js";
import { SpanStore } from "../src/store/spans.js";
import { span } from "./support.js";

const said = (text: string) => ({ "gen_ai.input.messages": JSON.stringify([{ content: text }]) });
const store = new SpanStore({ spans: 100, bytes: 1e6 });
const desk = span({
  attributes: {
    ...said("No such order, Jane."),
    "gen_ai.operation.name": "chat",
    "gen_ai.agent.name": "Desk",
    "gen_ai.conversation.id": "T-1",
    "user.id": "u7",
    "gen_ai.response.model": "gpt-5-mini",
  },
  resource: { "service.name": "shop" },
  status: "error",
});
const waits = span({ attributes: { "gen_ai.operation.name": "invoke_agent", "suite.status": "suspended" } });
const guarded = span({
  ...{ attributes: said("Such an order."), resource: { "service.name": "desk" } },
  events: [{ name: "suite.guardrail", time: 1, attributes: { "suite.guardrail.decision": "modify" } }],
});
store.add([desk, waits, guarded]);
const found = (query: string): readonly string[] => store.search(query, 10).map(({ traceId }) => traceId);

describe("a query", () => {
  it.each([
    ["order", [desk, guarded]],
    ["order such", [desk, guarded]],
    ['"no such order"', [desk]],
    ['"NO SUCH', [desk]],
    ["agent:desk", [desk]],
    ["agent:desk order", [desk]],
    ["desk", [desk, guarded]],
    ["session:t-1", [desk]],
    ['session:"T-1"', [desk]],
    ['session:"T-"', []],
    ["session:T-", [desk]],
    ["user:u7 model:gpt-5", [desk]],
    ["service:shop", [desk]],
    ["service:shop service:desk", []],
    ["is:error", [desk]],
    ["is:failed", [desk]],
    ["is:waits", [waits]],
    ["is:decided", [guarded]],
    ["is:open", []],
    ["is:error is:waits", []],
    // No field is called so: a word, which stands nowhere.
    ["is:nothing", []],
    ["constructor:x", []],
    ["", [desk, waits, guarded]],
  ])("%j finds what it says", (query, spans) => {
    expect(new Set(found(query))).toEqual(new Set(spans.map(({ traceId }) => traceId)));
  });

  it("is looked at as far as sixteen terms, however long it is", () => {
    expect(queryOf("x ".repeat(100_000)).words).toHaveLength(16);
    expect(queryOf('"'.repeat(100_000)).words.length).toBeLessThanOrEqual(16);
    expect(queryOf(`${"a".repeat(100_000)}:`).words).toHaveLength(1);
  });

  it("looks at the whole of a run that has several traces", () => {
    const store = new SpanStore({ spans: 10, bytes: 1e6 });
    const attributes = { "gen_ai.operation.name": "invoke_agent", "suite.run.id": "r-1" };
    store.add([span({ attributes: { ...attributes, "user.id": "ann" } }), span({ attributes, status: "error" })]);
    expect(store.search("user:ann is:error", 10)).toHaveLength(1);
  });
});

describe("the states that the page offers", () => {
  it.each(offeredStates)("%s is put into the query, and taken out of it", (state, _) => {
    const query = withState("refund  agent:desk", state);
    expect([hasState(query, state), hasState("refund", state)]).toEqual([true, false]);
    expect(withState(query, state)).toBe("refund  agent:desk");
    expect(withState(withState("", state), state)).toBe("");
    expect(queryOf(query).fits(runOf("a", []))).toBe(false);
  });
});
