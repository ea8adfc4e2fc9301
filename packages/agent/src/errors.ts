import { CodedError } from "@suite/core";

/** The codes of all errors of @suite/agent itself. Closed: a new code is a new minor version. */
export type AgentErrorCode =
  /** An option of `createAgent` or of a run is missing or makes no sense. */
  | "ERR_AGENT_OPTIONS"
  /** Two tools of one run have the same name. */
  | "ERR_AGENT_DUPLICATE_TOOL"
  /** The model called a tool that there is not. */
  | "ERR_AGENT_TOOL_UNKNOWN"
  /** The model called a tool with arguments that its schema refuses. */
  | "ERR_AGENT_TOOL_INPUT"
  /** A person, or a rule in their place, refused the call. */
  | "ERR_AGENT_TOOL_REJECTED"
  /** A tool asked a person, and the run is suspended: let it through. */
  | "ERR_AGENT_TOOL_WAITS"
  /** A tool that declares `retrieval` gave no list of documents. */
  | "ERR_AGENT_TOOL_DOCUMENTS"
  /** A tool that declares `search_memory` gave no list of records. */
  | "ERR_AGENT_TOOL_RECORDS"
  /** A tool took longer than its `timeout`. */
  | "ERR_AGENT_TOOL_TIMEOUT"
  /** A tool used a step wrongly: after its end, or with a result that is not JSON. */
  | "ERR_AGENT_TOOL_STEP"
  /** An agent that is a tool of another loop waits for a person, and that loop cannot. */
  | "ERR_AGENT_SUSPENDED_ELSEWHERE"
  /** A model client gave what is no reply, or no delta. */
  | "ERR_AGENT_MODEL_ANSWER"
  /** A run was given no question, no history and no suspended run. */
  | "ERR_AGENT_INPUT"
  /** The request holds something that a model client cannot put into its provider's. */
  | "ERR_AGENT_MODEL_REQUEST"
  /** The provider's stream ended before its finish. */
  | "ERR_AGENT_MODEL_STREAM_CUT"
  /** The final answer does not fit the output schema. */
  | "ERR_AGENT_OUTPUT_INVALID"
  /** The value is not a pending state, is one of another version or agent, or is too large. */
  | "ERR_AGENT_PENDING_INVALID"
  /** The run would wait, but its pending state is too large or too deeply nested to be resumed. */
  | "ERR_AGENT_PENDING_TOO_LARGE"
  /** The pending state was altered, or signed with a key that this process does not have. */
  | "ERR_AGENT_PENDING_SIGNATURE"
  | "ERR_AGENT_PENDING_EXPIRED"
  /** The pending state cannot be expired: its time has not come. */
  | "ERR_AGENT_PENDING_NOT_EXPIRED"
  /** The pending state was resumed before. */
  | "ERR_AGENT_PENDING_USED"
  /** A decision names a call that does not wait. */
  | "ERR_AGENT_DECISION_UNKNOWN_CALL"
  /** A call that waits does not take this decision, or an edit names what cannot run. */
  | "ERR_AGENT_DECISION_NOT_ALLOWED"
  /** A decision was made on other arguments, is of the wrong kind, comes twice, or tells a time that is none. */
  | "ERR_AGENT_DECISION_MISMATCH";

/** The one error class of @suite/agent. Errors of tools, models and plugins are never wrapped in it. */
export class AgentError extends CodedError<AgentErrorCode> {
  static override readonly brand = Symbol.for("@suite/agent/error");
  override readonly name = "AgentError";
}
