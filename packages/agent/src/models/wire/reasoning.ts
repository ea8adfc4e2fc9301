/** Whether reasoning was encrypted by OpenAI's responses API, and is no signature of Anthropic's. A part that was rewritten is neither. */
export const isEncryptedByOpenAI = ({ native }: { readonly native?: unknown }): boolean =>
  typeof native === "object" && native !== null && "type" in native && native.type === "reasoning";
