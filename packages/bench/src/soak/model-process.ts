/** The model server of the soak, in a separate process: it answers at random, and records its answers. */
import { startModelServer } from "@suite/testkit";
import { seeded } from "../random.js";
import { Answers, type ModelBody } from "./answers.js";

/** The books of the model's server. */
export interface ModelTotals {
  readonly requests: number;
  readonly refused: Readonly<Record<string, number>>;
  /** The tokens of each answer that was begun, by its response id, and how its transfer ended. */
  readonly answers: Readonly<Record<string, readonly [input: number, output: number, end: string]>>;
}

/** Seconds between two outages of the provider, and how long each is. */
const [BETWEEN, LONG] = [97, 4];

async function main(seed: number): Promise<void> {
  const answers = new Answers(seeded(seed));
  const server = await startModelServer({ maxRequests: 1 });
  const books: Record<string, readonly [number, number, string]> = {};
  const refused: Record<string, number> = {};
  const start = performance.now();
  let requests = 0;
  let answered = 0;
  server.script((request) => {
    requests++;
    const bad = ((performance.now() - start) / 1000) % BETWEEN > BETWEEN - LONG;
    const answer = answers.to(request.body as ModelBody, bad);
    const { fault, usage } = answer;
    if (fault?.status !== undefined) {
      refused[fault.status] = (refused[fault.status] ?? 0) + 1;
      return answer;
    }
    // The server numbers the requests that it does not refuse, in this order.
    const id = `chatcmpl-${++answered}`;
    const note = (end: string): void => {
      books[id] = [usage?.inputTokens ?? 0, usage?.outputTokens ?? 0, end];
    };
    note("open");
    request.ended.then(
      (end) =>
        note(
          fault?.hang === undefined && fault?.malformed === undefined && fault?.error === undefined ? end : "faulty",
        ),
      () => note("closed"),
    );
    return answer;
  });
  process.on("message", () => process.send?.({ requests, refused, answers: books } satisfies ModelTotals));
  process.on("disconnect", () => process.exit());
  process.send?.({ url: server.url });
}

void main(Number(process.argv[2]));
