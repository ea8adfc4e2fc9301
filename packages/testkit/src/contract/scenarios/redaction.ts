import type { ModelAnswer } from "../../server/answer.js";
import { expectEqual, expectThat } from "../expect.js";
import { replacement } from "../redact.js";
import { redacting } from "../redacting.js";
import { inBothModes, type Scenario, scenario } from "../scenario.js";
import type { Observed } from "../subject.js";
import type { Trial } from "../trial.js";
import { externalTool, recordingTool, strings } from "./texts.js";

const secret = "ada@mail.example";
const secrets = [secret];
const text = `Write to ${secret}, please.`;
const redacted = text.replace(secret, replacement);
const guardedOptions = { plugins: [redacting()], secrets };

const expectNoSecret = (value: unknown, label: string): void =>
  expectThat(!(JSON.stringify(value) ?? "").includes(secret), `the secret is in ${label}`);

const expectPromptsClean = (trial: Trial): void => expectNoSecret(trial.observed.prompts, "what the model was sent");

/** Cuts the text into three pieces, at every pair of places with that distance in and around the secret. */
function* cuttings(apart: number): Generator<ModelAnswer> {
  const from = text.indexOf(secret);
  for (let at = from - apart; at <= from + secret.length; at++) {
    yield { chunks: [text.slice(0, at), text.slice(at, at + apart), text.slice(at + apart)] };
  }
}

const mail = (more: object = {}) => ({ id: "call_m", name: "mail", arguments: { to: `\n${secret}` }, ...more });

/** A guard that redacts, in every place. */
export const redaction: readonly Scenario[] = [
  ...inBothModes("redaction of the input", ["model"], async (tryIt) => {
    const trial = await tryIt({ ...guardedOptions, input: `I am ${secret}, you know.`, answers: [{ text: "Hello." }] });
    expectPromptsClean(trial);
    expectThat(
      trial.observed.prompts[0]?.includes(`I am ${replacement}, you know.`),
      "the model was not sent the redacted input",
    );
  }),

  ...inBothModes("redaction of the output", ["model"], async (tryIt) => {
    const trial = await tryIt({ ...guardedOptions, answers: [{ text, chunks: "characters" }] });
    expectSeen(trial.observed);
  }),

  scenario("redaction of output that is split across chunks anywhere", ["model", "stream"], async (tryIt) => {
    for (const answer of [...cuttings(1), ...cuttings(6)]) {
      expectSeen((await tryIt({ ...guardedOptions, stream: true, answers: [answer] })).observed);
    }
  }),

  ...inBothModes("redaction of a structured answer", ["model", "structured-output"], async (tryIt) => {
    const answer = { text: JSON.stringify({ to: secret }), chunks: 4 };
    const trial = await tryIt({ ...guardedOptions, answers: [answer], outputSchema: strings("to") });
    expectEqual(trial.observed.output, { to: replacement }, "the structured output");
    expectNoSecret(trial.observed.pieces.join(""), "what streamed");
  }),

  ...inBothModes("redaction of a tool's arguments", ["tools"], async (tryIt) => {
    for (const chunks of ["characters", 5] as const) {
      const { tool, inputs } = recordingTool("mail", "to", () => "sent");
      const trial = await tryIt({
        ...guardedOptions,
        tools: [tool],
        answers: [{ toolCalls: [mail({ chunks })] }, { text: "Sent." }],
      });
      expectEqual(inputs, [{ to: `\n${replacement}` }], "what the tool was called with");
      expectPromptsClean(trial);
      trial.expectCalls("agent", "reasoning", "model", "tool", "reasoning", "model");
    }
  }),

  ...inBothModes(
    "redaction of a tool's arguments and result in the tool call alone",
    ["tools"],
    async (tryIt, subject) => {
      if (!subject.hooks.has("tool")) return;
      const { tool, inputs } = recordingTool("mail", "to", () => ({
        copies: [{ to: "eve@mail.example" }],
        note: "sent",
      }));
      const answers = [{ toolCalls: [mail()] }, { text: "Sent." }];
      const trial = await tryIt({ plugins: [redacting("tool")], tools: [tool], answers });
      expectEqual(inputs, [{ to: `\n${replacement}` }], "what the tool was called with");
      const prompt = trial.observed.prompts[1] ?? "";
      expectThat(
        prompt.includes("copies") && !prompt.includes("eve@"),
        "the model was sent the result as the tool gave it",
      );
    },
  ),

  ...inBothModes("redaction of a tool's result in the model call alone", ["tools"], async (tryIt) => {
    const { tool } = recordingTool("look", "name", () => ({ people: [{ mail: secret }], note: "found" }));
    const call = { name: "look", arguments: { name: "Ada" } };
    const answers = [{ toolCalls: [call] }, { text: "Found." }];
    const trial = await tryIt({ plugins: [redacting("model")], tools: [tool], answers });
    expectPromptsClean(trial);
    expectThat(trial.observed.prompts[1]?.includes(replacement), "the model was not sent the redacted result");
  }),

  ...inBothModes("redaction of what a tool threw, before the model is told", ["tools"], async (tryIt) => {
    const { tool } = recordingTool("look", "name", () => {
      throw new Error(`${secret} is unknown`);
    });
    const call = { name: "look", arguments: { name: "Ada" } };
    const trial = await tryIt({
      ...guardedOptions,
      tools: [tool],
      answers: [{ toolCalls: [call] }, { text: "Sorry." }],
    });
    expectPromptsClean(trial);
  }),

  ...inBothModes(
    "redaction of arguments and result of a tool that runs elsewhere",
    ["tools", "external-tools"],
    async (tryIt) => {
      const answers = [{ toolCalls: [mail({ chunks: "characters" })] }, { text: "Sent." }];
      const before = await tryIt({ ...guardedOptions, tools: [externalTool("mail", "to")], answers });
      expectNoSecret(before.observed.pending, "the pending call");
      const after = await before.resume({ id: "call_m", type: "result", response: { copy: secret } });
      expectPromptsClean(after);
      expectEqual(after.observed.text, "Sent.", "the text");
    },
  ),

  ...inBothModes("redaction within a sub-agent", ["tools", "sub-agents"], async (tryIt) => {
    const { tool, inputs } = recordingTool("mail", "to", () => `sent to ${secret}`);
    const research = {
      name: "research",
      description: "Finds things out.",
      parameters: strings("prompt"),
      agent: { name: "researcher", tools: [tool] },
    };
    const researchCall = { name: "research", arguments: { prompt: `Write to ${secret}.` } };
    const trial = await tryIt({
      ...guardedOptions,
      tools: [research],
      answers: [
        { toolCalls: [researchCall], chunks: 3 },
        { toolCalls: [mail()], chunks: 3 },
        { text: `Done: ${secret}` },
        { text: "Done." },
      ],
    });
    expectEqual(inputs, [{ to: `\n${replacement}` }], "what the sub-agent's tool was called with");
    expectPromptsClean(trial);
    expectEqual(trial.observed.text, "Done.", "the text");
  }),
];

function expectSeen(observed: Observed): void {
  expectEqual(observed.text, redacted, "the text");
  if (observed.pieces.length > 0) expectEqual(observed.pieces.join(""), redacted, "the pieces, joined");
}
