import { definePlugin } from "@suite/core";
import type { RetrievalRequest, RetrievalResult, RetrievedDocument } from "@suite/core/contract";
import { TestkitError } from "../../errors.js";
import { expectEqual, expectThat } from "../expect.js";
import { redactText, redactValue, replacement } from "../redact.js";
import type { Scenario } from "../scenario.js";
import type { ContractDocument, SearchAttempt, Subject } from "../subject.js";
import { between, type Surrounding, type Trial } from "../trial.js";

const secret = "ada@mail.example";
const query = `What does ${secret} like?`;
const documents: readonly ContractDocument[] = [
  { id: "1", content: `${secret} likes tea.`, metadata: { by: { mail: secret } } },
  { content: "Cats like milk." },
];

type Search = (
  options?: Surrounding & Partial<Pick<SearchAttempt, "find">>,
) => Promise<{ readonly trial: Trial; readonly queries: readonly string[] }>;

const searching = (name: string, subject: Subject): Search => {
  return async ({ find = () => documents, ...options } = {}) => {
    const queries: string[] = [];
    const trial = await between(name, subject, options, (plugins) => {
      if (subject.search === undefined) {
        throw new TestkitError("ERR_TESTKIT_INVALID_SUBJECT", "A subject that offers `retrieval` gives no `search`.");
      }
      return subject.search({
        plugins,
        query,
        find(query) {
          queries.push(query);
          return find(query);
        },
      });
    });
    return { trial, queries };
  };
};

const scenario = (name: string, body: (search: Search, subject: Subject) => Promise<void>): Scenario => ({
  name,
  needs: ["retrieval"],
  run: (subject) => body(searching(name, subject), subject),
});

const guard = definePlugin({
  name: "contract-redacting-retrieval",
  async retrieval(invocation, callNext) {
    const { request } = invocation;
    invocation.request = { ...request, query: redactText(request.query) };
    await callNext();
    invocation.pipe({ chunk: (value, emit) => emit(redactValue(value) as RetrievalResult) });
  },
});

const contentOf = ({ content }: RetrievedDocument): unknown => content;

/** Searches of documents. */
export const retrieval: readonly Scenario[] = [
  scenario("retrieval: layers see what is searched for and what is found", async (search) => {
    const { trial, queries } = await search();
    expectEqual(queries, [query], "what was searched for");
    const [call] = trial.callsOf("retrieval");
    expectEqual((call?.request as RetrievalRequest | undefined)?.query, query, "the query of the request");
    const seen = call?.value as RetrievalResult | undefined;
    expectEqual(
      seen?.documents.map(({ id, content, metadata }) => ({ id, content, metadata: comparable(metadata) })),
      documents,
      "the documents of the answer",
    );
    expectEqual(trial.observed.documents?.map(contentOf), documents.map(contentOf), "what the user was given");
  }),

  scenario("retrieval of what a layer redacts: query, documents and their metadata", async (search) => {
    const { trial, queries } = await search({ plugins: [guard], secrets: [secret] });
    expectEqual(queries, [query.replace(secret, replacement)], "what was searched for");
    const found = JSON.stringify([trial.observed.documents, trial.observed.prompts]);
    expectThat(!found.includes(secret), "the secret is in what the user was given, or the model was sent");
    const contents = documents.map(({ content }) => content.replace(secret, replacement));
    expectEqual(trial.observed.documents?.map(contentOf), contents, "what the user was given");
  }),

  scenario("retrieval of which a layer leaves out a document, and adds one", async (search) => {
    const other = definePlugin({
      name: "contract-other",
      async retrieval(invocation, callNext) {
        await callNext();
        invocation.pipe({
          chunk: (value, emit) => emit({ documents: [{ content: "Dogs like bones." }, ...value.documents.slice(1)] }),
        });
      },
    });
    const { trial } = await search({ plugins: [other] });
    expectEqual(
      trial.observed.documents?.map(contentOf),
      ["Dogs like bones.", "Cats like milk."],
      "what the user was given",
    );
  }),

  scenario("retrieval that a layer answers in the store's place", async (search) => {
    const cache = definePlugin({
      name: "contract-cache-of-documents",
      retrieval: async (invocation) => invocation.respond({ value: { documents: [{ content: "Kept." }] } }),
    });
    const { trial, queries } = await search({ innermost: [cache] });
    expectEqual(queries, [], "what was searched for");
    expectEqual(trial.observed.documents?.map(contentOf), ["Kept."], "what the user was given");
  }),

  scenario("retrieval that fails, and that a layer tries again", async (search, subject) => {
    const error = new Error("the store is closed");
    const find = () => {
      throw error;
    };
    const failed = await search({ find });
    const [call] = failed.trial.callsOf("retrieval");
    expectEqual(call?.status, "failed", "how the call ended");
    if (subject.offers.has("error-identity")) {
      expectThat(call?.value === error, "the layers were given another error than the search threw");
    }
    const again = definePlugin({
      name: "contract-again",
      retrieval: (_, callNext) => callNext().catch(() => callNext()),
    });
    let calls = 0;
    const retried = await search({ innermost: [again], find: () => (calls++ === 0 ? find() : documents) });
    expectEqual(retried.queries.length, 2, "how often it was searched");
    expectEqual(retried.trial.observed.documents?.map(contentOf), documents.map(contentOf), "what the user was given");
  }),
];

/** Empty metadata counts as missing. */
const comparable = (metadata: unknown): unknown =>
  typeof metadata === "object" && metadata !== null && Object.keys(metadata).length > 0 ? metadata : undefined;
