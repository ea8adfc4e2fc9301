import { type Final, type Kind, type Reply, type Request, textOf } from "@suite/core";
import type { WriteContent } from "./content.js";
import type { Fields } from "./logger.js";

/** The description of one kind of call in lines: its noun, and the fields of its request and its answer. */
export interface Described<K extends Kind> {
  readonly noun: string;
  /** The name that distinguishes this call from others of its kind: a model, a tool. */
  name(request: Request<K>): string | undefined;
  request(request: Request<K>, content: WriteContent | undefined): Fields;
  answer(final: Final<K>, content: WriteContent | undefined): Fields;
}

const replied = (reply: Reply, content: WriteContent | undefined): Fields => ({
  "gen_ai.response.model": reply.response?.model,
  "gen_ai.response.finish_reason": reply.finishReason,
  "gen_ai.usage.input_tokens": reply.usage?.inputTokens,
  "gen_ai.usage.output_tokens": reply.usage?.outputTokens,
  output: content?.(textOf(reply.message)),
});

const none = (): Fields => ({});

/** The descriptions of all kinds; the compiler holds the list complete. */
export const calls: { readonly [K in Kind]: Described<K> } = {
  agent: {
    noun: "agent run",
    name: () => undefined,
    request: ({ messages }, content) => ({ input: content?.(lastText(messages)) }),
    answer: replied,
  },
  reasoning: { noun: "round", name: () => undefined, request: none, answer: none },
  model: {
    noun: "model call",
    name: ({ model }) => model,
    request: ({ model, provider, messages, purpose }, content) => ({
      "gen_ai.request.model": model,
      "gen_ai.provider.name": provider,
      purpose,
      input: content?.(lastText(messages)),
    }),
    answer: replied,
  },
  tool: {
    noun: "tool call",
    name: ({ tool }) => tool.name,
    request: ({ id, tool, input }, content) => ({
      "gen_ai.tool.name": tool.name,
      "gen_ai.tool.call.id": id,
      input: content?.(input),
    }),
    answer: (value, content) => ({ output: content?.(value) }),
  },
  humanInput: {
    noun: "request to a person",
    name: ({ about }) => about?.name,
    request: ({ about, question }, content) => ({ "gen_ai.tool.name": about?.name, input: content?.(question) }),
    answer: (value, content) => ({ output: content?.(value) }),
  },
  compressContext: {
    noun: "compression",
    name: () => undefined,
    request: ({ messages }) => ({ messages: messages.length }),
    answer: (messages) => ({ "messages.after": messages.length }),
  },
  embedding: {
    noun: "embedding",
    name: ({ model }) => model,
    request: ({ model, input }) => ({ "gen_ai.request.model": model, inputs: input.length }),
    answer: ({ usage }) => ({ "gen_ai.usage.input_tokens": usage?.inputTokens }),
  },
  retrieval: {
    noun: "search",
    name: ({ source }) => source,
    request: ({ source, query }, content) => ({ "gen_ai.data_source.id": source, input: content?.(query) }),
    answer: ({ documents }) => ({ documents: documents.length }),
  },
  memory: {
    noun: "memory operation",
    name: ({ operation }) => operation,
    request: ({ operation, store, query }, content) => ({
      "gen_ai.operation.name": operation,
      "gen_ai.memory.store.id": store,
      input: content?.(query),
    }),
    answer: ({ records, count = records?.length }) => ({ records: count }),
  },
};

/** Every kind there is. */
export const kinds = Object.keys(calls) as readonly Kind[];

const lastText = (messages: Request<"agent">["messages"]): string => {
  const last = messages.at(-1);
  return last === undefined ? "" : textOf(last);
};
