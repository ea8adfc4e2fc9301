import type { Final, Kind, Request } from "@suite/core";
import { expectThat, within } from "../expect.js";
import { hostileErrors, hostileTexts, hostileValues } from "./hostile.js";
import { Rig, thrownBy } from "./rig.js";
import { samplesOf } from "./samples.js";
import type { PluginScenario } from "./scenario.js";
import type { PluginSubject } from "./subject.js";

const call = (value: unknown) => ({ type: "tool_call" as const, id: "c", name: "look", arguments: value });
const reply = (parts: Final<"model">["message"]["parts"]): Final<"model"> => ({
  message: { role: "assistant", parts },
});

/** The value wherever a request of this kind can have one. */
function requestWith(kind: Kind, value: unknown): Request<Kind> {
  const text = typeof value === "string" ? value : "Look.";
  const messages = [
    {
      role: "user" as const,
      parts: [
        { type: "text" as const, content: text },
        { type: "native" as const, value },
      ],
    },
    { role: "assistant" as const, parts: [call(value)] },
    { role: "tool" as const, parts: [{ type: "tool_call_response" as const, id: "c", response: value }] },
  ];
  const sample = samplesOf(text)[kind].request;
  if (kind === "tool") return { ...(sample as Request<"tool">), input: value };
  if (kind === "humanInput") return { question: text, about: call(value) };
  if (kind === "embedding") return { model: "m", input: [text, value] };
  if (kind === "retrieval") return { query: text };
  if (kind === "memory") {
    return { operation: "upsert_memory", query: text, ids: [text], records: [{ content: value, metadata: value }] };
  }
  return { ...(sample as Request<"model">), messages };
}

function finalWith(kind: Kind, value: unknown): Final<Kind> {
  const text = typeof value === "string" ? value : "Look.";
  if (kind === "tool" || kind === "humanInput") return value;
  if (kind === "embedding") return { embeddings: [[0.5], value] };
  if (kind === "retrieval") return { documents: [{ content: text }, { content: value, metadata: value }] };
  if (kind === "memory") return { records: [{ content: text }, { content: value, metadata: value }], count: 2 };
  const parts = [{ type: "text" as const, content: text }, call(value), { type: "native" as const, value }];
  if (kind === "compressContext") return [{ role: "assistant", parts }];
  return reply(parts);
}

/** The value as a stream; where the kind streams deltas, broken JSON and an event with the value come too. */
async function* streamWith(kind: Kind, value: unknown): AsyncGenerator<never, void> {
  if (kind !== "agent" && kind !== "reasoning" && kind !== "model") {
    yield finalWith(kind, value) as never;
    return;
  }
  const text = typeof value === "string" ? value : "Look.";
  yield { type: "event", name: "progress", value } as never;
  for (const content of [text.slice(0, 1), text.slice(1)])
    yield { type: "part", at: "0", part: { type: "text", content } } as never;
  yield { type: "part", at: "1", part: call(value) } as never;
  yield { type: "part", at: "2", part: call({}) } as never;
  yield { type: "arguments", at: "2", json: `{"broken": ${text}` } as never;
  yield { type: "arguments", at: "no such part", json: "}" } as never;
}

/** One call that must come through, or be refused as the subject says. */
async function survive(subject: PluginSubject, rig: Rig, what: string, body: () => Promise<unknown>): Promise<void> {
  const thrown = await thrownBy(() => within(body(), what));
  expectThat(
    thrown === undefined || subject.mayRefuse?.(thrown.error) === true,
    `${rig.plugin.name} does not survive ${what}: ${nameOf(thrown?.error)}`,
  );
}

const nameOf = (error: unknown): string => {
  try {
    return error instanceof Error ? `${error.name}: ${error.message.slice(0, 200)}` : typeof error;
  } catch {
    return "an error that cannot be read";
  }
};

/** The promises on what models, tools and users may write. */
export const inputs: readonly PluginScenario[] = [
  {
    name: "nothing throws on hostile values, plain or streamed",
    async run(subject) {
      const texts = hostileTexts.map((text, i) => [`text ${i}`, () => text] as const);
      const rig = await Rig.of(subject);
      for (const [name, make] of [...Object.entries(hostileValues), ...texts]) {
        for (const kind of rig.kinds) {
          const run = rig.stack.begin();
          for (const mode of ["value", "stream"] as const) {
            await survive(subject, rig, `${name} in ${kind}, ${mode}`, async () => {
              const answer = () =>
                mode === "value" ? { value: finalWith(kind, make()) } : { stream: streamWith(kind, make()) };
              const outcome = await rig.call(run, kind, requestWith(kind, make()) as never, answer as never);
              await outcome.final();
            });
          }
          await run.end();
        }
      }
      await rig.check();
    },
  },

  {
    name: "whatever is thrown passes as it is",
    async run(subject) {
      const rig = await Rig.of(subject);
      for (const [name, make] of Object.entries(hostileErrors)) {
        for (const kind of rig.kinds) {
          const run = rig.stack.begin();
          const error = make();
          const thrown = await thrownBy(() =>
            rig.call(run, kind, requestWith(kind, "x") as never, () => {
              throw error;
            }),
          );
          expectThat(
            thrown !== undefined && Object.is(thrown.error, error),
            `${name}, thrown in ${kind}, came out as something else`,
          );
          await run.end();
        }
      }
      await rig.check();
    },
  },
];
