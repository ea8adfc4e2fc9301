import { definePlugin } from "@suite/core";
import type { EmbeddingRequest, EmbeddingResult } from "@suite/core/contract";
import { TestkitError } from "../../errors.js";
import { expectEqual, expectThat } from "../expect.js";
import { redactText, replacement } from "../redact.js";
import type { Scenario } from "../scenario.js";
import { between, type Surrounding, type Trial } from "../trial.js";

const secret = "ada@mail.example";
const texts = ["Good morning.", `Write to ${secret}.`, "Good night."];

type Embed = (options?: Surrounding) => Promise<Trial>;

const scenario = (name: string, body: (embed: Embed) => Promise<void>): Scenario => ({
  name,
  needs: ["embeddings"],
  run: (subject) =>
    body((options = {}) =>
      between(name, subject, options, (plugins) => {
        if (subject.embed === undefined) {
          throw new TestkitError("ERR_TESTKIT_INVALID_SUBJECT", "A subject that offers `embeddings` gives no `embed`.");
        }
        return subject.embed({ plugins, texts });
      }),
    ),
});

const guard = definePlugin({
  name: "contract-redacting-embeddings",
  async embedding(invocation, callNext) {
    const { request } = invocation;
    invocation.request = { ...request, input: request.input.map((one) => redactText(String(one))) };
    await callNext();
  },
});

const cache = definePlugin({
  name: "contract-cache-of-embeddings",
  embedding: async (invocation) => invocation.respond({ value: { embeddings: texts.map((_, index) => [index, 0.5]) } }),
});

const numbers = (vectors: unknown): string => JSON.stringify(vectors);

/** Requests for embeddings. */
export const embeddings: readonly Scenario[] = [
  scenario("embeddings: layers see the texts and the resulting vectors", async (embed) => {
    const trial = await embed();
    expectEqual(trial.observed.error, undefined, "the error");
    trial.expectCalls("embedding");
    const [call] = trial.callsOf("embedding");
    expectEqual((call?.request as EmbeddingRequest | undefined)?.input, texts, "the texts of the request");
    expectEqual(
      (call?.value as EmbeddingResult | undefined)?.embeddings.length,
      texts.length,
      "how many embeddings there were",
    );
    expectEqual(trial.observed.embeddings?.length, texts.length, "how many embeddings the user was given");
    const apart = new Set(trial.observed.embeddings?.map(numbers));
    expectEqual(apart.size, texts.length, "how many of them differ");
    expectEqual(trial.observed.prompts.length, 1, "how often the model was asked");
  }),

  scenario("embeddings of texts that a layer changed", async (embed) => {
    const bare = await embed();
    const trial = await embed({ plugins: [guard], secrets: [secret] });
    const [prompt = ""] = trial.observed.prompts;
    expectThat(!prompt.includes(secret), "the model was sent the secret");
    expectThat(prompt.includes(replacement), "the model was not sent the redacted text");
    expectEqual(trial.observed.embeddings?.length, texts.length, "how many embeddings the user was given");
    const same = trial.observed.embeddings?.map((one, at) => numbers(one) === numbers(bare.observed.embeddings?.[at]));
    expectEqual(same, [true, false, true], "which embeddings are those without the layer");
  }),

  scenario("embeddings that a layer has kept, in the model's place", async (embed) => {
    const trial = await embed({ innermost: [cache] });
    expectEqual(
      trial.observed.embeddings,
      [
        [0, 0.5],
        [1, 0.5],
        [2, 0.5],
      ],
      "the embeddings",
    );
    expectEqual(trial.observed.prompts.length, 0, "how often the model was asked");
  }),

  scenario("embeddings that a layer asks for again", async (embed) => {
    const again = definePlugin({
      name: "contract-again",
      async embedding(_, callNext) {
        await callNext();
        await callNext();
      },
    });
    const trial = await embed({ innermost: [again] });
    expectEqual(trial.observed.embeddings?.length, texts.length, "how many embeddings the user was given");
    expectEqual(trial.observed.prompts.length, 2, "how often the model was asked");
  }),

  scenario("embeddings that a layer refuses", async (embed) => {
    const refuses = definePlugin({
      name: "contract-refuses",
      embedding: () => Promise.reject(new Error("not these")),
    });
    const trial = await embed({ innermost: [refuses] });
    expectThat(trial.observed.error !== undefined, "the user was told of no error");
    expectEqual(trial.observed.prompts.length, 0, "how often the model was asked");
    expectThat(
      trial.callsOf("embedding").every(({ status }) => status === "failed"),
      "a call did not fail",
    );
  }),
];
