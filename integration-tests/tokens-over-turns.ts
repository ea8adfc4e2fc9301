import type { ModelAnswer, ModelServer, RecordedRequest } from "@suite/testkit";

/** The personal data of the conversation, which no request to the provider may contain. */
export const mail = "jane.doe@example.com";

/** The messages of the user, one per turn. */
export const questions = [`I am ${mail}.`, "Look me up.", "Which argument did you use?"] as const;

/** The answers that the user reads, one per turn. Values do not go back into links. */
export const answers = (token: string): readonly string[] => [
  `Hello ${mail}.`,
  `I looked for ${mail}, see https://x.com/?q=${token}`,
  `It was ${mail}, as in https://x.com/?q=${token}`,
];

const form = /<EMAIL_\d+_[a-z]{8}>/g;
const body = (request: RecordedRequest): string => JSON.stringify(request.body);

/** The tokens in the requests that a provider got, each once. */
export const tokensIn = ({ requests }: ModelServer): readonly string[] => [
  ...new Set(requests.flatMap((request) => body(request).match(form) ?? [])),
];

/** A model that uses the only token it can see, and calls `look` with it in the second turn. */
export function repeatsTokens(request: RecordedRequest): ModelAnswer {
  const sent = body(request);
  const [token = "none"] = sent.match(form) ?? [];
  const link = `https://x.com/?q=${token}`;
  if (sent.includes(questions[2])) return { text: `It was ${token}, as in ${link}`, chunks: 7 };
  if (sent.includes("was found")) return { text: `I looked for ${token}, see ${link}`, chunks: 7 };
  if (sent.includes(questions[1])) return { toolCalls: [{ id: "c1", name: "look", arguments: { q: token } }] };
  return { text: `Hello ${token}.`, chunks: 7 };
}

/** The messages of each request, as JSON text without the closing bracket. */
export const prompts = ({ requests }: ModelServer): readonly string[] =>
  requests.map(({ body: sent }) => JSON.stringify((sent as { messages: unknown }).messages).slice(0, -1));
