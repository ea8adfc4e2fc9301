import { AIMessageChunk, type BaseMessage, type UsageMetadata } from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";
import { concat } from "@langchain/core/utils/stream";
import { TestModel } from "./support.js";

type Given = Exclude<ConstructorParameters<typeof AIMessageChunk>[0], string>;

/** The fields of a chunk. LangChain's type has no room for its usage. */
interface ChunkFields {
  readonly content: string | object[];
  readonly usage_metadata?: UsageMetadata;
  readonly tool_call_chunks?: object[];
  readonly response_metadata?: object;
}

/** A chat model that gives scripted answers, each a list of chunks, and keeps what it is asked. */
export class ScriptedModel extends TestModel {
  readonly asked: BaseMessage[][] = [];
  readonly answers: (readonly ChunkFields[])[];

  constructor(
    answers: readonly (readonly ChunkFields[])[],
    readonly provider = "anthropic",
  ) {
    super({});
    this.answers = [...answers];
  }

  override getLsParams() {
    return { ...super.getLsParams({} as never), ls_provider: this.provider };
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    this.asked.push(messages);
    const message = this.next().reduce((all, chunk) => concat(all, chunk));
    return { generations: [{ text: message.text, message }] };
  }

  override async *_streamResponseChunks(messages: BaseMessage[]): AsyncGenerator<ChatGenerationChunk> {
    this.asked.push(messages);
    for (const message of this.next()) yield new ChatGenerationChunk({ text: message.text, message });
  }

  next(): AIMessageChunk[] {
    return (this.answers.shift() ?? [{ content: "Done." }]).map(
      (fields) => new AIMessageChunk(fields as unknown as Given),
    );
  }
}
