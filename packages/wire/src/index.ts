export {
  chatFinishReason,
  chatSettings,
  chatUsage,
  toChatFinishReason,
  toChatToolChoice,
  toChatUsage,
} from "./chat-completions.js";
export { isJson, type Json, jsonOf, numberOf, objectsOf, stringOf } from "./json.js";
export {
  latestUsage,
  messagesContextEdits,
  messagesFinishReason,
  messagesSettings,
  messagesUsage,
  toMessagesStopReason,
  toMessagesToolChoice,
  toMessagesUsage,
} from "./messages.js";
export {
  otherItemPart,
  responsesFinish,
  responsesFinishReason,
  responsesSettings,
  responsesUsage,
  toResponsesToolChoice,
  toResponsesUsage,
} from "./responses.js";
