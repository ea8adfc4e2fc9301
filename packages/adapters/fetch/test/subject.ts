import {
  type Attempt,
  answering,
  type Capability,
  type EmbedAttempt,
  Leg,
  type ModelServer,
  type Observed,
  type SeenPiece,
  type Subject,
} from "@suite/testkit";

/** A use of a client, as its user writes it: asks, and gives the pieces of text, and of all parts, as they come. */
export type Ask = (
  attempt: Attempt,
  url: string,
  onPiece: (piece: string) => boolean,
  onPart: (piece: SeenPiece) => void,
) => Promise<string>;

/** The subject that asks for embeddings. */
export type AskEmbeddings = (attempt: EmbedAttempt, url: string) => Promise<readonly (readonly number[])[]>;

/** The major version of the client that is installed: this folder is tested with several. */
export const majorOf = (version: string): string => version.split(".", 1)[0] ?? version;

const always: readonly Capability[] = [
  "model",
  "usage",
  "provider-errors",
  "stream",
  "parts",
  "abort",
  "system-prompt",
  "structured-output",
  "ask",
  "memory",
  "ids",
];

/** A client's way of asking as the contract tests see it. */
export function subjectOf(
  server: () => ModelServer,
  ask: Ask,
  { tools = false, embed }: { readonly tools?: boolean; readonly embed?: AskEmbeddings } = {},
): Subject {
  return {
    offers: new Set([
      ...always,
      ...(tools ? (["tools"] as const) : []),
      ...(embed !== undefined ? (["embeddings"] as const) : []),
    ]),
    lacks: {
      ...(!tools && { tools: "a request has no loop of rounds: test/canary.test.ts tries the client's tool runners" }),
      "error-identity": "tools run in the user's code, outside of every layer",
      approval: "a client asks nobody",
      "approval-edit": "a client asks nobody",
      "external-tools": "every call of a tool is handed to the user, and is no run that waits",
      "sub-agents": "a client has no agents",
      ...(embed === undefined && {
        embeddings: "requests for embeddings are those of chat completions, or there are none",
      }),
      retrieval: "a client searches no documents",
    },
    hooks: new Set([
      "model",
      "memory",
      "systemPrompt",
      "observe",
      ...(embed !== undefined ? (["embedding"] as const) : []),
    ]),
    ...(embed !== undefined && {
      async embed(attempt: EmbedAttempt): Promise<Observed> {
        server().reset();
        const seen = await embed(attempt, server().url).then(
          (embeddings) => ({ embeddings }),
          (error: unknown) => ({ error }),
        );
        return { pieces: [], ...seen, prompts: server().requests.map(({ body }) => JSON.stringify(body)) };
      },
    }),
    async run(attempt): Promise<Observed> {
      const watched = new Leg(answering(server(), attempt), attempt);
      const seen = () => ({ ...watched.seen, prompts: watched.seen.prompts.map(counted) });
      const onPiece = (piece: string): boolean => piece === "" || watched.read(piece);
      try {
        const text = await ask(attempt, server().url, onPiece, (piece) => watched.parts.push(piece));
        return { ...seen(), text, ...(attempt.outputSchema && { output: parsed(text) }) };
      } catch (error) {
        return { ...seen(), error };
      }
    },
  };
}

/** The fake server counts its answers, and a client may name the one that it goes on from. */
const counted = (prompt: string): string => prompt.replaceAll(/"msg_\d+"/g, '"msg"');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
