import { message } from "@suite/core";
import { chatSettings, toChatFinishReason } from "@suite/wire";
import { objectsOf, stringOf } from "../../json.js";
import { settingsIn } from "../../neutral/fields.js";
import type { RequestFormat, WireFormat } from "../../neutral/format.js";
import { eventOf } from "../../sse/event.js";
import { request as chatRequest } from "../chat/request.js";
import { ChatStream } from "../chat/stream.js";

const { maxTokens: _, ...settings } = chatSettings;

/** The body of a request of `POST …/completions`. Each prompt is a message of the user. Lists of tokens are not read. */
const request: RequestFormat = {
  ...chatRequest,
  settings: settingsIn({ ...settings, maxTokens: "max_tokens" }, ["prompt"]),
  turns: "prompt",
  message: ({ content }) => message("user", [{ type: "text", content: stringOf(content) }]),
  write: ({ message: { parts } }) => [
    { content: parts.map((part) => (part.type === "text" ? part.content : "")).join("") },
  ],
  writeTurns(turns, before) {
    const prompts = turns.map(({ content }) => content);
    return Array.isArray(before) ? prompts : prompts.join("\n\n");
  },
};

/** OpenAI's older completions, which vLLM, llama.cpp and other servers still offer. */
export const completions: WireFormat = {
  provider: "openai",
  request,
  answer: (edit) => new ChatStream().readCompleteBody(edit),
  append(body, part) {
    const [choice] = objectsOf(body.choices) as { text?: unknown }[];
    if (choice !== undefined && part.type === "text") choice.text = `${choice.text ?? ""}${part.content}`;
  },
  empty: ({ model }) => ({
    id: "",
    object: "text_completion",
    created: Math.floor(Date.now() / 1000),
    model,
    choices: [{ index: 0, text: "", logprobs: null, finish_reason: toChatFinishReason("stop") }],
  }),
  events: (body) => [eventOf(body), { data: "[DONE]" }],
  stream: () => new ChatStream(),
};
