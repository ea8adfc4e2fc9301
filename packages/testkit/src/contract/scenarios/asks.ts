import { type CallId, definePlugin, type ModelRequest, message, type Reply, text, textOf, usageOf } from "@suite/core";
import { expectEqual, expectThat } from "../expect.js";
import { replacement } from "../redact.js";
import { redacting } from "../redacting.js";
import { inBothModes, type Scenario } from "../scenario.js";

const secret = "ada@mail.example";
const summary = "They greet each other.";

/** Asks for a summary before each model call of the agent, and appends it to the request. */
const summarising = (replies: Reply[], parents: CallId[]) =>
  definePlugin({
    name: "contract-summarising",
    async model(invocation, callNext) {
      const { request, runtime, call } = invocation;
      if (request.purpose === undefined) {
        const messages = [message("user", `Sum up what ${secret} said.`)];
        const reply = await runtime.ask?.({ messages }, { parent: call, purpose: "summarize" });
        expectThat(reply !== undefined, "the runtime has no `ask`");
        replies.push(reply);
        parents.push(call);
        const found = message("user", [text(textOf(reply.message))]);
        invocation.request = { ...request, messages: [...request.messages, found] };
      }
      await callNext();
    },
  });

/** A model call that a plugin makes. */
export const asks: readonly Scenario[] = inBothModes(
  "a model call that a plugin makes goes through the model layers, and into nothing that the user sees",
  ["model", "ask"],
  async (tryIt) => {
    const replies: Reply[] = [];
    const parents: CallId[] = [];
    let used: number | undefined;
    const counting = definePlugin({
      name: "contract-counting",
      end: (runtime) => {
        used = usageOf(runtime)?.inputTokens;
      },
    });
    const usage = { inputTokens: 5, outputTokens: 3 };
    const trial = await tryIt({
      plugins: [counting, summarising(replies, parents), redacting("model")],
      secrets: [secret],
      answers: [
        { text: summary, chunks: 4, usage },
        { text: "Hello.", chunks: 2, usage },
      ],
    });
    expectEqual(trial.observed.error, undefined, "the error");
    const [first = "", second = ""] = trial.observed.prompts;
    expectThat(first.includes(`Sum up what ${replacement} said.`), "the model was not sent the redacted question");
    expectThat(!first.includes(secret), "the model was sent the secret that the plugin asked about");
    expectThat(second.includes(summary), "the model was not sent the summary");
    expectEqual(trial.observed.prompts.length, 2, "how often the model was asked");
    expectEqual(
      replies.map((reply) => textOf(reply.message)),
      [summary],
      "what the plugin was told",
    );
    expectEqual(trial.observed.text, "Hello.", "the text");
    expectThat(!trial.observed.pieces.join("").includes("greet"), "the summary is in what streamed");
    trial.expectCalls("agent", "reasoning", "model", "model");
    const purposes = trial.callsOf("model").map(({ request }) => (request as ModelRequest).purpose);
    expectEqual(purposes, [undefined, "summarize"], "what the calls are for");
    expectEqual(trial.callsOf("model")[1]?.call.parent?.id, parents[0]?.id, "the call that it is within");
    if (used !== undefined) expectEqual(used, 10, "the tokens that the run has used");
  },
);
