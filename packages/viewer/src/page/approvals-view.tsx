import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import type { ApprovalRequest, Decision, WaitingRequest, WaitingRequests } from "../run/approval.js";
import { date, named } from "../run/format.js";
import { sendDecision } from "./api.js";
import { Header } from "./header.js";
import { Marked } from "./marked.js";
import { runHash } from "./route.js";

/** The requests that wait for a person, each with its complete arguments and the possible decisions. */
export function ApprovalsView({ known }: { readonly known: WaitingRequests | undefined }): VNode {
  // A decided request stays in its place until the user leaves the page, so that nothing moves under the pointer.
  const seen = useRef(new Map<string, WaitingRequest>());
  for (const each of known?.waiting ?? []) seen.current.set(each.request.id, each);
  const all = [...seen.current.values()];
  return (
    <main class="approvals">
      <Header title="Approvals">{known !== undefined && <span class="quiet">You decide as {known.by}.</span>}</Header>
      {known?.problems.map((problem) => (
        <p key={problem} class="note error">
          {problem}
        </p>
      ))}
      {known === undefined && <p class="quiet">Loading…</p>}
      {known !== undefined && all.length === 0 && <p class="quiet">Nothing waits for a person.</p>}
      {all.map(({ request, traceId }) => (
        <Request
          key={request.id}
          request={request}
          traceId={traceId}
          waits={known?.waiting.some((each) => each.request.id === request.id) === true}
        />
      ))}
    </main>
  );
}

interface RequestProps {
  readonly request: ApprovalRequest;
  readonly traceId: string;
  readonly waits: boolean;
}

function Request({ request, traceId, waits }: RequestProps): VNode {
  const { id, toolName, question, askedAt, expiresAt, sessionId, userId } = request;
  const [state, setState] = useState<"open" | "sending" | { readonly said: string; readonly isBad: boolean }>("open");
  const decide = async (decision: Decision, message: string): Promise<void> => {
    setState("sending");
    setState(
      await sendDecision(id, decision).then(
        () => ({ said: `${message}. The run continues when its program resumes it.`, isBad: false }),
        (error: Error) => ({ said: error.message, isBad: true }),
      ),
    );
  };
  const isDone = typeof state === "object" && !state.isBad;
  const who = [sessionId !== undefined && `session ${sessionId}`, userId !== undefined && `user ${userId}`];
  return (
    <article class="request" aria-labelledby={`tool-${id}`}>
      <h2 id={`tool-${id}`}>{named(toolName)}</h2>
      <p class="question">{question}</p>
      <p class="quiet">
        <a href={runHash(traceId)}>The run</a>, asked {date(askedAt)}, expires {date(expiresAt)}
        {who.filter(Boolean).map((each) => `, ${each}`)}
      </p>
      <h3>Arguments</h3>
      {request.arguments === undefined ? (
        <p class="quiet">They are not shown to anybody: the guard says so.</p>
      ) : (
        <pre class="arguments">
          <Marked text={JSON.stringify(request.arguments, undefined, 2)} />
        </pre>
      )}
      {!isDone && waits && <Ways request={request} isSending={state === "sending"} decide={decide} />}
      <p role="status">
        {typeof state === "object" && <span class={state.isBad ? "bad" : "good"}>{state.said}</span>}
        {state === "open" && !waits && <span class="quiet">It was decided elsewhere, or has expired.</span>}
      </p>
    </article>
  );
}

interface WaysProps {
  readonly request: ApprovalRequest;
  readonly isSending: boolean;
  readonly decide: (decision: Decision, message: string) => Promise<void>;
}

/** The decisions that a request allows. */
function Ways({ request, isSending, decide }: WaysProps): VNode {
  const { decisions, always } = request;
  return (
    <div class="ways">
      {decisions.includes("approve") && (
        <button
          type="button"
          class="primary"
          disabled={isSending}
          onClick={() => void decide({ decision: "approve" }, "Approved")}
        >
          Approve
        </button>
      )}
      {decisions.includes("approve") && always && (
        <button
          type="button"
          disabled={isSending}
          onClick={() => void decide({ decision: "approve", always: true }, "Approved, for later calls too")}
        >
          Approve always
        </button>
      )}
      {decisions.includes("reject") && (
        <Way
          title="Reject"
          label="Reason for the model"
          isSending={isSending}
          send={(text) => decide({ decision: "reject", ...(text !== "" && { message: text }) }, "Rejected")}
        />
      )}
      {decisions.includes("edit") && (
        <Way
          title="Edit"
          label="Other arguments, as JSON"
          begin={JSON.stringify(request.arguments, undefined, 2)}
          isJson
          isSending={isSending}
          send={(text) =>
            decide({ decision: "edit", arguments: JSON.parse(text) as unknown }, "Approved with other arguments")
          }
        />
      )}
      {decisions.includes("respond") && (
        <Way
          title="Respond"
          label="Result to use instead of the tool's"
          isSending={isSending}
          send={(text) => decide({ decision: "respond", response: text }, "Answered instead of the tool")}
        />
      )}
    </div>
  );
}

interface WayProps {
  readonly title: string;
  readonly label: string;
  readonly begin?: string;
  readonly isJson?: boolean;
  readonly isSending: boolean;
  readonly send: (text: string) => Promise<void>;
}

/** A decision with a comment or arguments that the user writes before it is sent. */
function Way({ title, label, begin = "", isJson = false, isSending, send }: WayProps): VNode {
  const [text, setText] = useState(begin);
  const bad = isJson && !isJsonText(text);
  return (
    <details class="way">
      <summary class="button">{title}…</summary>
      <label>
        {label}
        <textarea rows={isJson ? 8 : 3} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      {bad && <p class="bad">This is no JSON.</p>}
      <button type="button" disabled={isSending || bad} onClick={() => void send(text)}>
        {title}
      </button>
    </details>
  );
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
