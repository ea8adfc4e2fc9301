import { definePlugin, message, type Plugin, text } from "@suite/core";
import type { MemoryRecord, MemoryRequest, MemoryResult } from "@suite/core/contract";
import { expectEqual, expectThat } from "../expect.js";
import { redactText, redactValue, replacement } from "../redact.js";
import { redacting } from "../redacting.js";
import { inBothModes, type Scenario } from "../scenario.js";

const secret = "ada@mail.example";
const query = `What does ${secret} like?`;
const known: MemoryRecord = { id: "m1", content: `${secret} likes tea.`, metadata: { by: { mail: secret } } };
const newRecord: MemoryRecord = { content: `${secret} was greeted.` };

/** A memory of one record, which records the requests that it receives. */
class Notes {
  readonly requests: MemoryRequest[] = [];
  fails = 0;

  carryOut(request: MemoryRequest): MemoryResult {
    this.requests.push(request);
    if (this.fails-- > 0) throw new Error("the memory is closed");
    if (request.operation === "search_memory") return { records: [known] };
    if (request.operation === "delete_memory") return { count: 1 };
    return { records: (request.records ?? []).map((record) => ({ id: "m2", ...record })) };
  }
}

/**
 * Searches before each model call and appends the results to the prompt. Keeps a record after the call, and forgets
 * another.
 */
const remembering = (notes: Notes, results: MemoryResult[] = []): Plugin =>
  definePlugin({
    name: "contract-remembering",
    async model(invocation, callNext) {
      const { request, runtime, call } = invocation;
      const remember = async (operation: Omit<MemoryRequest, "store">): Promise<MemoryResult> => {
        const carryOut = (request: MemoryRequest): MemoryResult => notes.carryOut(request);
        const result = await runtime.memory({ store: "notes", ...operation }, carryOut, { parent: call });
        results.push(result);
        return result;
      };
      const { records = [] } = await remember({ operation: "search_memory", query, limit: 2 });
      const found = records.map(({ content }) => message("user", [text(String(content))]));
      invocation.request = { ...request, messages: [...request.messages, ...found] };
      await callNext();
      invocation.pipe({
        async flush() {
          await remember({ operation: "create_memory", records: [newRecord] });
          await remember({ operation: "delete_memory", ids: ["m1"] });
        },
      });
    },
  });

const guard = definePlugin({
  name: "contract-redacting-memory",
  async memory(invocation, callNext) {
    const { request } = invocation;
    invocation.request = {
      ...request,
      ...(request.query !== undefined && { query: redactText(request.query) }),
      ...(request.records && { records: redactValue(request.records) as readonly MemoryRecord[] }),
    };
    await callNext();
    invocation.pipe({ chunk: (value, emit) => emit(redactValue(value) as MemoryResult) });
  },
});

const answers = [{ text: "Hello.", chunks: 2 }];
const needs = ["model", "memory"] as const;

/** Operations on a memory. */
export const memory: readonly Scenario[] = [
  ...inBothModes("a memory that a plugin searches before an answer, and changes after it", needs, async (tryIt) => {
    const notes = new Notes();
    const trial = await tryIt({ plugins: [remembering(notes)], answers });
    expectEqual(trial.observed.error, undefined, "the error");
    trial.expectCalls("agent", "reasoning", "model", "memory", "memory", "memory");
    const wanted = [
      { store: "notes", operation: "search_memory", query, limit: 2 },
      { store: "notes", operation: "create_memory", records: [newRecord] },
      { store: "notes", operation: "delete_memory", ids: ["m1"] },
    ];
    expectEqual(notes.requests, wanted, "what the memory was asked");
    const calls = trial.callsOf("memory");
    expectEqual(
      calls.map(({ request }) => request),
      wanted,
      "what the layers saw asked",
    );
    const results = [{ records: [known] }, { records: [{ id: "m2", ...newRecord }] }, { count: 1 }];
    expectEqual(
      calls.map(({ value }) => value),
      results,
      "what the layers saw answered",
    );
    const [model] = trial.callsOf("model");
    for (const { call } of calls) expectEqual(call.parent?.id, model?.call.id, "the call that it is within");
    expectThat(
      trial.observed.prompts[0]?.includes(`${secret} likes tea.`) === true,
      "the model was not sent what was found",
    );
    expectEqual(trial.observed.text, "Hello.", "the text");
  }),

  ...inBothModes("memory of what a layer redacts: query, records and their metadata", needs, async (tryIt) => {
    const notes = new Notes();
    const results: MemoryResult[] = [];
    const plugins = [remembering(notes, results), redacting("model"), guard];
    const trial = await tryIt({ plugins, answers, secrets: [secret] });
    expectEqual(trial.observed.error, undefined, "the error");
    const [searched, created] = notes.requests;
    expectEqual(searched?.query, query.replace(secret, replacement), "what was searched for");
    expectEqual(created?.records, [{ content: `${replacement} was greeted.` }], "what was kept");
    expectThat(
      !JSON.stringify([notes.requests, results, trial.observed.prompts]).includes(secret),
      "the secret went past it",
    );
    expectEqual(trial.observed.text, "Hello.", "the text");
  }),

  ...inBothModes("memory that a layer answers in its place", needs, async (tryIt) => {
    const notes = new Notes();
    const results: MemoryResult[] = [];
    const cache = definePlugin({
      name: "contract-cache-of-memory",
      memory: async (invocation) => invocation.respond({ value: { records: [{ content: "Kept." }] } }),
    });
    const trial = await tryIt({ plugins: [remembering(notes, results)], innermost: [cache], answers });
    expectEqual(trial.observed.error, undefined, "the error");
    expectEqual(notes.requests, [], "what the memory was asked");
    expectEqual(results[0], { records: [{ content: "Kept." }] }, "what the plugin was given");
    expectThat(trial.observed.prompts[0]?.includes("Kept.") === true, "the model was not sent what the layer answered");
  }),

  ...inBothModes("memory that fails, and that a layer tries again", needs, async (tryIt) => {
    const notes = new Notes();
    notes.fails = 1;
    const again = definePlugin({
      name: "contract-again",
      memory: (_, callNext) => callNext().catch(() => callNext()),
    });
    const trial = await tryIt({ plugins: [remembering(notes)], innermost: [again], answers });
    expectEqual(trial.observed.error, undefined, "the error");
    expectEqual(notes.requests.length, 4, "how often the memory was asked");
    expectEqual(trial.observed.text, "Hello.", "the text");
  }),
];
