import { type BaseMessage, isAIMessage } from "@langchain/core/messages";

/** Copies a message of LangChain with other fields. Keeps its class and its stored fields. */
export function copyOf<M extends BaseMessage>(from: M, fields: object): M {
  const { constructor: MessageClass, lc_kwargs: kwargs } = from as unknown as {
    readonly constructor: new (fields: object) => M;
    readonly lc_kwargs: object;
  };
  const { id, name, additional_kwargs, response_metadata } = from;
  const counted = isAIMessage(from) && from.usage_metadata !== undefined && { usage_metadata: from.usage_metadata };
  const chunks = "tool_call_chunks" in from && { tool_call_chunks: [] };
  const named = { ...(id !== undefined && { id }), ...(name !== undefined && { name }) };
  return new MessageClass({
    ...kwargs,
    ...named,
    additional_kwargs,
    response_metadata,
    ...counted,
    ...chunks,
    ...fields,
  });
}
