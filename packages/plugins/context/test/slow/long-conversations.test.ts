import { describe, expect, it } from "@jest/globals";
import { type AgentResult, approve, createAgent, defineTool, type Model, type PendingState } from "@suite/agent";
import {
  clearToolUses,
  contentLimit,
  contextEditing,
  dynamicContext,
  historyLimit,
  summarization,
  taskReminder,
  todoList,
  tokenLimit,
  toolSearch,
  toolSelector,
} from "@suite/context";
import { type Message, type ModelRequest, type Part, type Plugin, type Reply, toolCall } from "@suite/core";
import { explodeReply } from "@suite/core/messages";
import { timeFor } from "../../../../../scripts/runs.mjs";
import { orphansOf } from "../histories.js";

const turns = 500;
const todos = [
  { content: "look", status: "completed" },
  { content: "answer", status: "in_progress" },
];

/** A model that thinks, and calls one to three tools, or one that has to be approved, before it answers. */
class LongModel implements Model {
  readonly name = "long-1";
  readonly provider = "test";
  readonly asked: ModelRequest[] = [];
  #calls = 0;
  #answers = true;

  async generate(request: ModelRequest): Promise<Reply> {
    this.asked.push(request);
    return { message: { role: "assistant", parts: this.#said(request) }, finishReason: "stop" };
  }

  async *stream(request: ModelRequest) {
    yield* explodeReply(await this.generate(request));
  }

  #said({ purpose }: ModelRequest): readonly Part[] {
    if (purpose === "summarize") return [{ type: "text", content: "They talked of this and that." }];
    if (purpose === "select_tools") return [{ type: "text", content: '["look"]' }];
    this.#answers = !this.#answers;
    if (this.#answers) return [{ type: "text", content: `So it is, ${this.#calls}.` }];
    const thought: Part = { type: "reasoning", content: "I have to look.", signature: "s" };
    const turn = this.#calls++;
    if (turn % 7 === 3) return [thought, toolCall(`${turn}`, "pay", { turn })];
    if (turn % 11 === 5) return [thought, toolCall(`${turn}`, "write_todos", { todos })];
    const several = Array.from({ length: 1 + (turn % 3) }, (_, at) => toolCall(`${turn}-${at}`, "look", { turn, at }));
    return [thought, ...several];
  }
}

const filler = Array.from({ length: 12 }, (_, at) =>
  defineTool({ name: `find_${at}`, description: `Finds ${at} things.`, execute: () => "" }),
);

interface Long {
  readonly model: LongModel;
  readonly last: AgentResult;
  /**
   * The number of times that a text was counted, turn by turn. A turn that was suspended has come back through JSON: its
   * history is other objects, and is read anew, also by whoever counts it. Those turns, and those behind them, are left out.
   */
  readonly counted: readonly number[];
  /** Messages of the model's last request of each turn. */
  readonly sent: readonly number[];
}

/** A conversation of many turns, each a run with the history that the one before it gave. */
async function converse(made: (count: (text: string) => number) => readonly Plugin[]): Promise<Long> {
  let count = 0;
  const plugins = made((text) => {
    count++;
    return Math.ceil(text.length / 4);
  });
  const model = new LongModel();
  const look = defineTool({ name: "look", description: "Looks.", execute: () => `found ${"x".repeat(300)}` });
  const pay = defineTool({ name: "pay", description: "Pays.", needsApproval: true, execute: () => "paid" });
  const agent = createAgent({ name: "long", model, tools: [look, pay, ...filler], plugins, systemPrompt: "Be brief." });
  let messages: readonly Message[] = [];
  let last: AgentResult | undefined;
  let waitedBefore = false;
  const counted: number[] = [];
  const sent: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const before = count;
    const asked: readonly Message[] = [
      ...messages,
      { role: "user", parts: [{ type: "text", content: `Look, ${turn}!` }] },
    ];
    last = await agent.run(asked);
    const waited = last.status === "suspended";
    if (last.status === "suspended") {
      const pending = JSON.parse(JSON.stringify(last.pending)) as PendingState;
      last = await agent.run({ pending, decisions: pending.calls.map((each) => approve(each)) });
    }
    if (last.status !== "completed") throw new Error(`turn ${turn} was ${last.status}`);
    messages = last.messages;
    if (!waited && !waitedBefore) counted.push(count - before);
    waitedBefore = waited;
    sent.push(model.asked.at(-1)?.messages.length ?? 0);
  }
  return { model, last: last as AgentResult, counted, sent };
}

const most = (numbers: readonly number[]) => Math.max(...numbers);
const sizeOf = (request: ModelRequest) => JSON.stringify(request.messages.map(({ parts }) => parts)).length;
const inConversation = ({ model }: Long) => model.asked.filter(({ purpose }) => purpose === undefined);

type Made = (countTokens: (text: string) => number) => readonly Plugin[];
/** The bound that holds for every request, besides that no call and no result is alone. */
type Holds = (request: ModelRequest) => boolean;
const tokensOf = (request: ModelRequest) => sizeOf(request) / 4;
const any: Holds = () => true;

const plugins: Readonly<Record<string, readonly [Made, Holds]>> = {
  historyLimit: [() => [historyLimit({ messages: 24 })], ({ messages }) => messages.length <= 25],
  tokenLimit: [
    (countTokens) => [tokenLimit({ tokens: 3000, countTokens })],
    (request) => tokensOf(request) <= 3000 * 2, // the JSON round the texts is not counted
  ],
  contentLimit: [
    () => [contentLimit({ partCharacters: 200, characters: 9000 })],
    (request) => sizeOf(request) <= 18_000,
  ],
  contextEditing: [
    (countTokens) => [contextEditing({ edits: [clearToolUses({ trigger: 3000, keep: 4 })], countTokens })],
    ({ messages }) => JSON.stringify(messages).split("found xxx").length - 1 <= 40,
  ],
  summarization: [
    (countTokens) => [
      summarization({ trigger: [{ messages: 40 }, { tokens: 5000 }], keep: { messages: 12 }, countTokens }),
    ],
    ({ messages }) => messages.length <= 42,
  ],
  "todoList and taskReminder": [() => [todoList(), taskReminder()], any],
  dynamicContext: [() => [dynamicContext(() => "It is Monday.")], any],
  toolSearch: [() => [toolSearch({ maxTools: 2, alwaysInclude: ["look", "pay"] })], ({ tools }) => tools.length <= 6],
  toolSelector: [
    () => [toolSelector({ maxTools: 2, alwaysInclude: ["pay", "write_todos"] })],
    ({ tools }) => tools.length <= 4,
  ],
};

const withoutHistory = new Set(["todoList and taskReminder", "dynamicContext", "toolSearch", "toolSelector"]);

/** The work of a turn does not grow: late turns take what early ones took, but for how their tools happen to meet. */
function expectConstant(numbers: readonly number[]): void {
  expect(most(numbers.slice(-150))).toBeLessThanOrEqual(most(numbers.slice(50, 250)) * 1.25);
}

describe(`a conversation of ${turns} turns with tools`, () => {
  it.each(Object.entries(plugins))(
    "with %s: nothing is alone in a request, its bound is kept, and a turn costs what it did",
    async (name, [made, holds]) => {
      const long = await converse(made);
      const requests = inConversation(long);
      expect(requests.length).toBe(2 * turns);
      for (const request of requests) expect(orphansOf(request.messages).size).toBe(0);
      expect(requests.filter((request) => !holds(request))).toEqual([]);
      expectConstant(long.counted);
      if (!withoutHistory.has(name) && name !== "contextEditing") expectConstant(long.sent);
      // The history that the caller has is whole, but where it is replaced on purpose.
      const kept = long.last.messages.filter(({ role }) => role === "user").length;
      expect(kept).toBe(name === "summarization" ? kept : turns);
      expect(orphansOf(long.last.messages).size).toBe(0);
    },
    timeFor(120_000),
  );

  it(
    "with all of them: nothing is alone, all bounds are kept, and a turn costs what it did",
    async () => {
      const long = await converse((countTokens) => [
        todoList(),
        taskReminder(),
        dynamicContext(() => "It is Monday."),
        toolSearch({ maxTools: 2, alwaysInclude: ["look", "pay", "write_todos"] }),
        contextEditing({ edits: [clearToolUses({ trigger: 2000, keep: 4 })], countTokens }),
        summarization({ trigger: { messages: 60 }, keep: { messages: 20 }, countTokens }),
        contentLimit({ partCharacters: 250 }),
        tokenLimit({ tokens: 3000, countTokens }),
        historyLimit({ messages: 30 }),
      ]);
      const requests = inConversation(long);
      expect(requests.length).toBe(2 * turns);
      for (const { messages, tools } of requests) {
        expect(orphansOf(messages).size).toBe(0);
        expect(messages.length).toBeLessThanOrEqual(31);
        expect(tools.length).toBeLessThanOrEqual(7);
        expect(messages.some(({ parts }) => JSON.stringify(parts).includes("Look, "))).toBe(true);
      }
      expectConstant(long.counted);
      expectConstant(long.sent);
      expect(orphansOf(long.last.messages).size).toBe(0);
    },
    timeFor(120_000),
  );
});
