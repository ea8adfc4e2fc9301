import { describe, expect, it } from "@jest/globals";
import { ContextError, type SummarizationOptions, summarization } from "@suite/context";
import { type Message, message, textOf, toolCall, toolCallResponse } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { histories, newOrphans } from "./histories.js";
import { Rig } from "./support.js";

const turn = (at: number): readonly Message[] => [
  message("user", `question ${at}`),
  message("assistant", `answer ${at}`),
];
const turns = (count: number) => Array.from({ length: count }, (_, at) => turn(at)).flat();
const asked: { transcript: string; previous: string | undefined }[] = [];
const summarize: SummarizationOptions["summarize"] = ({ transcript, previous }) => {
  asked.push({ transcript, previous });
  return `summary ${asked.length}`;
};
const plugin = (options: Partial<SummarizationOptions> = {}) => {
  asked.length = 0;
  return summarization({ trigger: { messages: 6 }, keep: { messages: 2 }, summarize, ...options });
};
const system = message("system", "Be brief.");
const shown = (messages: readonly Message[]) => messages.map((each) => textOf(each).replaceAll("\n", " "));
const standsFor = (text: string) => `Here is a summary of the conversation so far: <summary> ${text} </summary>`;

describe("summarization where the history cannot be replaced", () => {
  it("replaces the older part in requests, and leaves the rest alone below its trigger", async () => {
    const rig = new Rig([plugin()]);
    const short = [system, ...turns(3)];
    expect(await rig.model(short)).toBe(short);
    const sent = await rig.model([system, ...turns(4), message("user", "new")]);
    expect(shown(sent)).toEqual(["Be brief.", standsFor("summary 1"), "new"]);
    expect(asked[0]?.transcript).toContain("user: question 0\nassistant: answer 0");
    expect(rig.decisions).toMatchObject([
      { decision: "summarized", details: { messages: 8, left_out: 0, extended: false }, enforced: true },
    ]);
  });

  it("extends an earlier summary with only the new messages", async () => {
    const rig = new Rig([plugin()]);
    await rig.model([...turns(4), message("user", "new")]);
    const longer = [...turns(4), message("user", "new"), message("assistant", "so"), ...turns(3)];
    const again = await rig.model(longer);
    expect(shown(again)).toEqual([standsFor("summary 2"), "question 2", "answer 2"]);
    expect(asked).toHaveLength(2);
    expect(asked[1]?.previous).toBe("summary 1");
    expect(asked[1]?.transcript).not.toContain("question 3");
    expect(asked[1]?.transcript).toContain("user: new");
    // It stays what it is until the trigger is reached again.
    expect(shown(await rig.model([...longer, message("user", "more")])).slice(0, 2)).toEqual([
      standsFor("summary 2"),
      "question 2",
    ]);
    expect(asked).toHaveLength(2);
  });

  it("keeps its summary over a suspension, and takes none for another history", async () => {
    const rig = new Rig([plugin()]);
    const history = [...turns(4), message("user", "new")];
    await rig.model(history);
    const durable = JSON.parse(JSON.stringify(rig.run.save()));
    const after = new Rig([plugin()], { runId: rig.run.runId, durable });
    expect(shown(await after.model(history))).toEqual([standsFor("summary 1"), "new"]);
    expect(asked).toEqual([]);
    const other = [message("user", "else")];
    expect(await after.model(other)).toEqual(other);
    const replaced = history.map((each, at) => (at === 7 ? message("assistant", "edited") : each));
    expect(shown(await after.model(replaced.slice(0, 8).slice(-2)))).toEqual(["question 3", "edited"]);
  });

  it("keeps the newest question and whole steps, however long a run is", async () => {
    await fc.assert(
      fc.asyncProperty(histories, fc.integer({ min: 1, max: 5 }), async (messages, keep) => {
        const rig = new Rig([plugin({ trigger: { messages: 6 }, keep: { messages: keep } })]);
        const sent = await rig.model(messages);
        expect(newOrphans(messages, sent)).toEqual([]);
        expect(sent).toContain(messages.findLast(({ role }) => role === "user"));
        expect(sent.at(-1)).toBe(messages.at(-1));
      }),
      { numRuns: runs(500) },
    );
  });

  it("goes on where the summariser fails, and asks no more after three failures", async () => {
    let tries = 0;
    const failing = plugin({
      summarize: () => {
        tries++;
        throw new Error("down");
      },
    });
    const rig = new Rig([failing]);
    const history = turns(8);
    for (let made = 0; made < 6; made++) expect(await rig.model(history)).toBe(history);
    expect(tries).toBe(3);
    expect(rig.decisions).toMatchObject(Array.from({ length: 3 }, () => ({ decision: "failed" })));
  });

  it("counts failures in a row, where the history is replaced", async () => {
    let tries = 0;
    const flaky = plugin({
      summarize: () => {
        if (++tries % 3 !== 0) throw new Error("down");
        return "summary";
      },
    });
    const stack = new PluginStack([flaky]);
    const run = stack.begin({});
    for (let round = 0; round < 9; round++) {
      const outcome = await stack.call("compressContext", run, { messages: turns(8) }, async (invocation) => {
        invocation.respond({ value: invocation.request.messages });
      });
      await outcome.final();
    }
    expect(tries).toBe(9);
  });

  it("takes an empty summary for none", async () => {
    const history = turns(8);
    expect(await new Rig([plugin({ summarize: () => " " })]).model(history)).toBe(history);
  });

  it("reports that there is no model to call", async () => {
    const history = turns(8);
    const rig = new Rig([summarization({ trigger: { messages: 6 }, keep: { messages: 2 } })]);
    expect(await rig.model(history)).toBe(history);
    expect(rig.decisions).toMatchObject([{ decision: "unavailable" }]);
  });

  it("sends the newest, bounded part of the conversation to be summarized, and states the omitted part", async () => {
    const rig = new Rig([plugin({ maxInputTokens: 40 })]);
    const long = [
      ...turns(10),
      message("assistant", [toolCall("1", "look", { x: 1 })]),
      message("tool", [toolCallResponse("1", "y".repeat(100_000))]),
    ];
    await rig.model([...long, ...turns(2)]);
    expect((asked[0]?.transcript ?? "").length).toBeLessThan(200);
    expect(rig.decisions).toMatchObject([{ details: { left_out: expect.any(Number) } }]);
  });

  it.each([
    ["tokens", { tokens: 60 }],
    ["one of several", [{ messages: 1000 }, { tokens: 60 }]],
    ["a fraction of the window", { fraction: 0.6 }],
  ] as const)("has triggers by %s", async (_, trigger) => {
    const given = { trigger, keep: { messages: 2 }, contextWindow: 100 };
    expect(await new Rig([plugin(given)]).model(turns(4))).toHaveLength(8);
    const sent = await new Rig([plugin(given)]).model(turns(16));
    expect(shown(sent)[0]).toBe(standsFor("summary 1"));
  });

  it("in monitor mode asks nobody, and changes nothing", async () => {
    const rig = new Rig([plugin({ mode: "monitor" })]);
    const history = turns(8);
    expect(await rig.model(history)).toBe(history);
    expect(asked).toEqual([]);
    expect(rig.decisions).toMatchObject([{ decision: "summarized", enforced: false }]);
  });
});

it("options that make no sense are refused when it is made", () => {
  const bad: unknown[] = [
    {},
    { trigger: [] },
    { trigger: { tokens: 0 } },
    { trigger: { messages: Number.NaN } },
    { trigger: { tokens: 1, messages: 1 } },
    { trigger: { fraction: 1 } },
    { trigger: { fraction: 0.5 } },
    { trigger: { turns: 3 } },
    { trigger: { messages: 10 }, keep: { messages: 10 } },
    { trigger: { messages: 30 }, maxInputTokens: -1 },
    { trigger: { messages: 30 }, promt: "x" },
  ];
  for (const options of bad) expect(() => summarization(options as SummarizationOptions)).toThrow(ContextError);
});
