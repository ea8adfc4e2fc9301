import type { ComponentChildren, VNode } from "preact";
import { conversationOf } from "../run/conversation.js";
import { type Decided, decidedIn } from "../run/decided.js";
import { formatValue } from "../run/format.js";
import type { ChatMessage, MessagePart } from "../run/message.js";
import type { Span } from "../run/span.js";
import { Marked } from "./marked.js";
import { runHash } from "./route.js";

/** The messages of a run, with tool calls, their results, and the decisions of guards, limits and people. */
export function Conversation({ run, spans }: { readonly run: string; readonly spans: readonly Span[] }): VNode {
  const messages = conversationOf(spans);
  const decided = decidedIn(messages, spans);
  const others = <Decisions run={run} decided={decided.get(-1)} />;
  if (messages.length === 0) {
    return (
      <section class="conversation">
        <p>
          No messages were recorded. With @suite/tracing, <code>tracing({'{ content: "redacted" }'})</code> records them
          through the redactors of the other plugins, for example <code>pii()</code> of @suite/pii. Without a redactor,
          it records none.
        </p>
        {others}
      </section>
    );
  }
  return (
    <section>
      <h2 class="unseen">Messages</h2>
      <ol class="conversation">
        {messages.map((message, index) => (
          <Message key={index} message={message}>
            <Decisions run={run} decided={decided.get(index)} />
          </Message>
        ))}
      </ol>
      {others}
    </section>
  );
}

/** The decisions on a message: the decision, its author, its subject and its reason. Each links to its span. */
function Decisions({
  run,
  decided = [],
}: {
  readonly run: string;
  readonly decided?: readonly Decided[] | undefined;
}): VNode | null {
  if (decided.length === 0) return null;
  return (
    <ul class="decisions" aria-label="Decisions">
      {decided.map(({ word, by, place, why, enforced, times, spanId }) => (
        <li key={`${spanId} ${word} ${by} ${place} ${why} ${enforced}`}>
          <a href={runHash(run, spanId)}>
            <span class="chip waits">{word}</span> {[by, place].filter(Boolean).join(", ")}
            {why !== undefined && `: ${why}`}
            {times > 1 && ` (${times} times)`}
            {!enforced && " (not enforced)"}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** One message, with an optional note next to its role. */
export function Message({
  message,
  note,
  children,
}: {
  readonly message: ChatMessage;
  readonly note?: string | undefined;
  readonly children?: ComponentChildren;
}): VNode {
  return (
    <li class={roleOf(message)}>
      <h3>
        {message.role || "message"} {note !== undefined && <span class="chip waits">{note}</span>}
      </h3>
      {message.parts.map((part, at) => (
        <Part key={at} part={part} />
      ))}
      {children}
    </li>
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
        <Marked text={formatValue(value ?? "")} />
      </pre>
    </div>
  );
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
