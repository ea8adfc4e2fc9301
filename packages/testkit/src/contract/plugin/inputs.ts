import { expectThat, within } from "../expect.js";
import { hostileErrors, hostileTexts, hostileValues } from "./hostile.js";
import { Rig, thrownBy } from "./rig.js";
import { callsWith, type HostileCall, textOf, toolCall } from "./samples.js";
import type { PluginScenario } from "./scenario.js";
import type { PluginSubject } from "./subject.js";

/** Streams the answer. If the hook streams deltas, broken JSON and an event with the value are added. */
async function* streamWith({ final, deltas }: HostileCall, value: unknown): AsyncGenerator<unknown, void> {
  if (deltas === undefined) {
    yield final;
    return;
  }
  const text = textOf(value);
  yield { type: "event", name: "progress", value };
  for (const content of [text.slice(0, 1), text.slice(1)])
    yield { type: "part", at: "0", part: { type: "text", content } };
  yield { type: "part", at: "1", part: toolCall(value) };
  yield { type: "part", at: "2", part: toolCall({}) };
  yield { type: "arguments", at: "2", json: `{"broken": ${text}` };
  yield { type: "arguments", at: "no such part", json: "}" };
}

/** Makes one call that must succeed, or be refused with an error that the subject allows. */
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

/** The promises about hostile input from models, tools and users. */
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
            const { request } = callsWith(make())[kind];
            const value = make();
            const answered = callsWith(value)[kind];
            await survive(subject, rig, `${name} in ${kind}, ${mode}`, async () => {
              const answer = () =>
                mode === "value" ? { value: answered.final } : { stream: streamWith(answered, value) };
              const outcome = await rig.call(run, kind, request as never, answer as never);
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
            rig.call(run, kind, callsWith("x")[kind].request as never, () => {
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
