import type { AnyInvocation, CallNext, Kind, Plugin } from "@suite/core";
import { sleep } from "@suite/kit/time";
import { expectEqual, expectThat } from "../expect.js";
import { type Scenario, scenario } from "../scenario.js";
import type { SeenPiece, Subject } from "../subject.js";
import { recordingTool } from "./texts.js";

const weather = { id: "call_w", name: "weather", arguments: { city: "Köln" } };
const text = "It is clear.";
const answering: readonly Kind[] = ["agent", "reasoning", "model"];

/** The time that each call to the model server and each tool takes, in milliseconds. */
const delay = 30;
/** The shortest time that a layer may measure. Timers may fire a little early. */
const shortest = delay - 5;

const served = (subject: Subject, kinds: readonly Kind[] = answering): readonly Kind[] =>
  kinds.filter((kind) => subject.hooks.has(kind));

/** Creates a plugin with the same layer for each of these kinds. */
function layers(kinds: readonly Kind[], layer: (invocation: AnyInvocation, callNext: CallNext) => Promise<void>) {
  return { name: "contract-layers", ...Object.fromEntries(kinds.map((kind) => [kind, layer])) } as Plugin;
}

/** A stopwatch as in other frameworks: the time before `callNext()`, and after it. */
function stopwatch(kinds: readonly Kind[]) {
  const took: Partial<Record<Kind, number>> = {};
  const plugin = layers(kinds, async ({ kind }, callNext) => {
    const start = performance.now();
    await callNext();
    took[kind] = (took[kind] ?? 0) + performance.now() - start;
  });
  return { took, plugin };
}

/** The time at which `await callNext()` returns, and the errors that it throws. */
export const callNexts: readonly Scenario[] = [
  scenario("await callNext() takes as long as the call, plain", ["model"], async (tryIt, subject) => {
    const kinds = served(subject);
    const { took, plugin } = stopwatch(kinds);
    await tryIt({ innermost: [plugin], answers: [{ text, fault: { delay } }] });
    for (const kind of kinds) expectAtLeast(took[kind], shortest, kind);
  }),

  scenario(
    "await callNext() of the run takes as long as its rounds and tools, plain",
    ["tools"],
    async (tryIt, subject) => {
      const kinds = served(subject, [...answering, "tool"]);
      const { took, plugin } = stopwatch(kinds);
      const { tool } = recordingTool("weather", "city", () => sleep(delay).then(() => "clear"));
      const answers = [
        { toolCalls: [weather], fault: { delay } },
        { text, fault: { delay } },
      ];
      const trial = await tryIt({ innermost: [plugin], tools: [tool], answers });
      expectEqual(trial.observed.text, text, "the text");
      const least = { agent: 3 * shortest, reasoning: 2 * shortest, model: 2 * shortest, tool: shortest };
      for (const kind of kinds) expectAtLeast(took[kind], least[kind as keyof typeof least], kind);
    },
  ),

  scenario("ended() waits for the end of the answer, streamed", ["model", "stream"], async (tryIt, subject) => {
    for (const kind of served(subject)) {
      const ends: unknown[] = [];
      const plugin = layers([kind], async (invocation, callNext) => {
        await callNext();
        ends.push(invocation.streamed, (await invocation.ended())?.status, invocation.streamed);
      });
      const trial = await tryIt({ stream: true, innermost: [plugin], answers: [{ text, chunks: 3 }] });
      expectEqual(ends, [true, "completed", false], `what the ${kind} layer saw`);
      expectEqual(trial.observed.text, text, "the text");
    }
  }),

  scenario(
    "a layer that reads the answer changes nothing for the user, streamed",
    ["stream", "tools"],
    async (tryIt, subject) => {
      const { tool } = recordingTool("weather", "city", () => "clear");
      const answers = [
        { text: "I look.", chunks: 2, toolCalls: [weather] },
        { text, chunks: 3 },
      ];
      const seenWith = async (innermost: readonly Plugin[]) => {
        const { observed } = await tryIt({ stream: true, innermost, tools: [tool], answers });
        expectEqual(observed.error, undefined, "the error");
        const { pieces, parts = [], text, prompts } = observed;
        return { pieces: pieces.join(""), parts: contents(parts), text, prompts };
      };
      const bare = await seenWith([]);
      for (const kind of served(subject)) {
        if (kind === "agent" && !subject.offers.has("agent-reads")) continue;
        for (const [name, read] of Object.entries(readings)) {
          const reader = layers([kind], async (invocation, callNext) => {
            await callNext();
            await read(invocation);
          });
          expectEqual(await seenWith([reader]), bare, `what the user saw after ${name} in a ${kind} layer`);
        }
      }
    },
  ),

  scenario("an error reaches try/catch around callNext(), plain", ["model"], async (tryIt, subject) => {
    const caught: Kind[] = [];
    const kinds = served(subject);
    const plugin = layers(kinds, async ({ kind }, callNext) => {
      try {
        await callNext();
      } catch (error) {
        caught.push(kind);
        throw error;
      }
    });
    await tryIt({ innermost: [plugin], answers: [{ fault: { status: 400, message: "no" } }] });
    expectEqual(caught, kinds.toReversed(), "the layers that caught the error");
  }),

  scenario("a second callNext() after an error asks again, plain", ["model"], async (tryIt, subject) => {
    for (const kind of served(subject)) {
      const plugin = layers([kind], (_, callNext) => callNext().catch(() => callNext()));
      const answers = [{ fault: { status: 400, message: "no" } }, { text }];
      const trial = await tryIt({ innermost: [plugin], answers });
      expectEqual(trial.observed.error, undefined, `the error after a retry by the ${kind} layer`);
      expectEqual(trial.observed.text, text, `the text after a retry by the ${kind} layer`);
      expectEqual(trial.observed.prompts.length, 2, "how often the model was asked");
    }
  }),
];

/** The ways in which a layer reads an answer to its end. */
const readings: Readonly<Record<string, (invocation: AnyInvocation) => Promise<unknown>>> = {
  "ended()": (invocation) => invocation.ended(),
  "final()": async ({ result }) => result?.final(),
};

/** Returns the content of each part. An adapter may deliver it in fewer pieces, since the layer held all of it back. */
function contents(parts: readonly SeenPiece[]): readonly string[] {
  const joined = new Map<string, string>();
  for (const { id, type, text } of parts) joined.set(id, (joined.get(id) ?? `${type} `) + text);
  return [...joined.values()].sort();
}

function expectAtLeast(took: number | undefined, least: number, kind: Kind): void {
  expectThat(took !== undefined && took >= least, `callNext() of the ${kind} layer took ${took} ms, not ${least} ms`);
}
