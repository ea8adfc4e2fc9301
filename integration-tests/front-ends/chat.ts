import type { Question } from "@suite/approval";
import {
  AbstractChat,
  type ChatState,
  type ChatStatus,
  DefaultChatTransport,
  isToolUIPart,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
} from "ai";
import type { Asked, World } from "./world.js";

interface Program {
  handle(request: Request): Promise<Response>;
}
type Message = UIMessage<unknown, { approval: Question }>;

/** The state of a chat without a framework for pages: `useChat` has React's. */
class State implements ChatState<Message> {
  status: ChatStatus = "ready";
  error: Error | undefined;
  messages: Message[] = [];
  pushMessage = (message: Message): void => {
    this.messages = [...this.messages, message];
  };
  popMessage = (): void => {
    this.messages = this.messages.slice(0, -1);
  };
  replaceMessage = (index: number, message: Message): void => {
    this.messages = this.messages.with(index, message);
  };
  snapshot = <T>(value: T): T => structuredClone(value);
}

class Chat extends AbstractChat<Message> {
  constructor(api: string) {
    super({
      state: new State(),
      transport: new DefaultChatTransport({ api }),
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    });
  }
}

/** The chat of the AI SDK's UI, over HTTP. @param change changes the messages that a hostile client sends. */
export async function chat(world: World, change: (message: Message) => Message = (same) => same): Promise<Asked> {
  const { handle } = await world.load<Program>("chat");
  const client = new Chat(await world.serve(handle));
  await client.sendMessage({ text: "Refund it." });
  const parts = client.messages.at(-1)?.parts ?? [];
  const question = parts.flatMap((part) => (part.type === "data-approval" ? [part.data] : []))[0];
  const call = parts.find(isToolUIPart);
  if (question === undefined || call?.state !== "approval-requested") throw new Error("There is no question.");
  const asked = client.messages.map(change);
  return {
    question,
    async answer(answer) {
      client.messages = structuredClone(asked);
      const body = { answers: answer === undefined ? [] : [answer] };
      await client.addToolApprovalResponse({ id: call.approval.id, approved: true, options: { body } });
      while (client.status === "submitted" || client.status === "streaming")
        await new Promise((resolve) => setTimeout(resolve, 5));
      if (client.error !== undefined) return /ERR_\w+/.exec(client.error.message)?.[0] ?? client.error.message;
      const now = client.messages.at(-1)?.parts.find(isToolUIPart);
      return now?.state === "output-available" ? "accepted" : (now?.errorText ?? "refused");
    },
  };
}
