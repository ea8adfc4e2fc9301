import type { VNode } from "preact";
import { type ChatMessage, conversationOf, type MessagePart } from "../run/conversation.js";
import type { Span } from "../run/span.js";
import { shown } from "./format.js";
import { Marked } from "./marked.js";

/** What was said in a run, as messages, with tool calls and their results. */
export function Conversation({ spans }: { readonly spans: readonly Span[] }): VNode {
  const messages = conversationOf(spans);
  if (messages.length === 0) {
    return (
      <p class="empty">
        No content was captured. <code>tracing({'{ content: "redacted" }'})</code> records messages, through the
        redactor.
      </p>
    );
  }
  return (
    <ol class="conversation">
      {messages.map((message, index) => (
        <li key={index} class={roleOf(message)}>
          <h3>{message.role || "message"}</h3>
          {message.parts.map((part, at) => (
            <Part key={at} part={part} />
          ))}
        </li>
      ))}
    </ol>
  );
}

const roles: ReadonlySet<string> = new Set(["system", "user", "assistant", "tool"]);
const roleOf = ({ role }: ChatMessage): string => (roles.has(role) ? role : "other");

function Part({ part }: { readonly part: MessagePart }): VNode {
  const { type, content, name, arguments: args, response } = part;
  if (type === "tool_call") return <Call title={`calls ${text(name)}`} value={args} />;
  if (type === "tool_call_response") return <Call title="result" value={response ?? part.result} />;
  if (typeof content === "string") {
    return (
      <p class={type === "reasoning" ? "text reasoning" : "text"}>
        <Marked text={content} />
      </p>
    );
  }
  return <Call title={text(type)} value={part} />;
}

function Call({ title, value }: { readonly title: string; readonly value: unknown }): VNode {
  return (
    <div class="call">
      <h4>{title}</h4>
      <pre>
        <Marked text={shown(value ?? "")} />
      </pre>
    </div>
  );
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
