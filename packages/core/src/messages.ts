/** The parts and deltas of messages, the content of tools' results, and functions that read and convert conversations. */
export { assembleReply, explodeReply } from "./engine/codec.js";
export type { ArgumentsDelta, EventDelta, FinishDelta, PartDelta, PartEndDelta } from "./messages/delta.js";
export type {
  BlobPart,
  CompactionPart,
  FilePart,
  FinishReason,
  Modality,
  NativePart,
  ReasoningPart,
  Role,
  ServerToolCallPart,
  ServerToolCallResponsePart,
  TextPart,
  ToolCallPart,
  ToolCallResponsePart,
  UriPart,
} from "./messages/message.js";
export { isQuestion, reminderBegin } from "./messages/question.js";
export { unansweredCalls } from "./messages/read.js";
export { type ContentPart, type ToolContent, toolContent, toolContentOf } from "./messages/tool-content.js";
export { queryOf, wordsOf } from "./messages/words.js";
