import { type BaseMessage, isBaseMessage, ToolMessage } from "@langchain/core/messages";
import { Command, isCommand } from "@langchain/langgraph";
import { toolContentOf } from "@suite/core/messages";
import { isRecord } from "@suite/kit";
import { toolMessageContent } from "./content.js";

/**
 * The fields of a message that are not content: data of a tool that the model does not see, and fields of a provider.
 */
const otherFields = ["artifact", "additional_kwargs", "response_metadata", "metadata"] as const;

/**
 * Returns the value of a tool's result as layers see it: the content of a message, the update of a command, or the
 * value itself.
 */
export function toolValueOf(result: unknown): unknown {
  if (ToolMessage.isInstance(result)) return valueOfMessage(result);
  if (!isCommand(result) || !isRecord(result.update)) return result;
  const { messages, ...rest } = result.update;
  return { ...rest, ...(Array.isArray(messages) && { messages: messages.map(valueOfMessage) }) };
}

/** Returns a tool's value as LangChain accepts it, with content parts as blocks. */
export const langchainValue = (value: unknown): unknown =>
  toolContentOf(value) === undefined ? value : toolMessageContent(value);

/** Returns the tool's result with the value after the layers, or the result itself if they changed nothing. */
export function withValue(result: unknown, before: unknown, after: unknown): unknown {
  if (Object.is(before, after)) return result;
  if (ToolMessage.isInstance(result)) return withMessageValue(result, after);
  if (!isCommand(result) || !isRecord(result.update) || !isRecord(after)) return after;
  const { messages } = result.update;
  const values = Array.isArray(after.messages) ? after.messages : [];
  const update = {
    ...after,
    ...(Array.isArray(messages) && { messages: messages.map((each, index) => changed(each, values[index])) }),
  };
  return new Command({ ...partsOfCommand(result), update });
}

/** Returns the parts of a command, to create another one. */
export const partsOfCommand = ({ graph, resume, goto, update }: Command) => ({
  ...(graph !== undefined && { graph }),
  ...(resume !== undefined && { resume }),
  ...(goto !== undefined && { goto }),
  ...(update !== undefined && { update }),
});

/** Returns the content of a message, or an object with the content if it has more fields. */
function valueOfMessage(message: unknown): unknown {
  if (!isRecord(message)) return message;
  const more = otherFields.filter((name) => !isEmpty(message[name])).map((name) => [name, message[name]] as const);
  return more.length === 0 ? message.content : { content: message.content, ...Object.fromEntries(more) };
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || (isRecord(value) && Object.keys(value).every((key) => key === "versions"));

/** True for the message of a failed tool. */
export const isFailure = (result: unknown): boolean => ToolMessage.isInstance(result) && result.status === "error";

/** Returns the result of a call, marked as failed or not. */
export function withFailure<R>(result: R, isError: boolean, id: string): R {
  if (ToolMessage.isInstance(result)) return withStatus(result, isError) as R;
  if (!isError || !isCommand(result) || !isRecord(result.update) || !Array.isArray(result.update.messages))
    return result;
  const messages = result.update.messages.map((one: unknown) =>
    ToolMessage.isInstance(one) && one.tool_call_id === id ? withStatus(one, true) : one,
  );
  return new Command({ ...partsOfCommand(result), update: { ...result.update, messages } }) as R;
}

function withStatus(message: ToolMessage, isError: boolean): ToolMessage {
  if (isFailure(message) === isError) return message;
  const { constructor: MessageClass } = message as unknown as { constructor: new (fields: object) => ToolMessage };
  const { lc_kwargs: fields, id, name, content } = message;
  return new MessageClass({ ...fields, id, name, content, status: isError ? "error" : "success" });
}

/** Returns a message of a command with the value after the layers, or the message itself if they changed nothing. */
function changed(message: unknown, after: unknown): unknown {
  const before = valueOfMessage(message);
  const parts = ["content", ...otherFields];
  const same =
    isRecord(before) && isRecord(after)
      ? parts.every((name) => Object.is(before[name], after[name]))
      : before === after;
  return same || !isBaseMessage(message) ? message : withMessageValue(message, after);
}

/** Returns a message with another value. */
function withMessageValue(message: BaseMessage, after: unknown): BaseMessage {
  const before = valueOfMessage(message);
  const value = isRecord(before) && isRecord(after) ? after : { content: after };
  const seen = isRecord(before) ? otherFields.filter((name) => name in before) : [];
  const { constructor: MessageClass } = message as unknown as { constructor: new (fields: object) => BaseMessage };
  const { lc_kwargs: fields, id, name } = message;
  return new MessageClass({
    ...fields,
    ...Object.fromEntries(seen.map((each) => [each, value[each]])),
    id,
    name,
    content: toolMessageContent(value.content),
  });
}
