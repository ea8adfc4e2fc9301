import { codedError } from "@suite/kit/errors";

/** The codes of all errors that @suite/agent creates. The union is closed: a new code needs a new minor version. */
export type AgentErrorCode =
  /** An option of `createAgent` or of a run is missing or invalid. */
  | "ERR_AGENT_OPTIONS"
  /** Two tools of one run have the same name. */
  | "ERR_AGENT_DUPLICATE_TOOL"
  /** The model called a tool that does not exist. */
  | "ERR_AGENT_TOOL_UNKNOWN"
  /** The model called a tool with arguments that do not match its schema. */
  | "ERR_AGENT_TOOL_INPUT"
  /** A person, or a rule that decides for them, rejected the call. */
  | "ERR_AGENT_TOOL_REJECTED"
  /** A tool asked a person and the run is suspended. The tool must not catch this error. */
  | "ERR_AGENT_TOOL_WAITS"
  /** A tool that declares `retrieval` did not return a list of documents. */
  | "ERR_AGENT_TOOL_DOCUMENTS"
  /** A tool that declares `search_memory` did not return a list of records. */
  | "ERR_AGENT_TOOL_RECORDS"
  /** A tool took longer than its `timeout`. */
  | "ERR_AGENT_TOOL_TIMEOUT"
  /** A tool used a step incorrectly: after the step had ended, or with a result that is not JSON. */
  | "ERR_AGENT_TOOL_STEP"
  /** An agent that is a tool of another framework's loop waits for a person, and that loop cannot suspend. */
  | "ERR_AGENT_SUSPENDED_ELSEWHERE"
  /** A model client returned an invalid reply or delta. */
  | "ERR_AGENT_MODEL_ANSWER"
  /** The input of a run is not a question, a history or a suspended run. */
  | "ERR_AGENT_INPUT"
  /** The request contains something that the model client cannot convert for its provider. */
  | "ERR_AGENT_MODEL_REQUEST"
  /** The provider's stream ended without a finish. */
  | "ERR_AGENT_MODEL_STREAM_CUT"
  /** The final answer does not match the output schema. */
  | "ERR_AGENT_OUTPUT_INVALID"
  /** The value is not a pending state, belongs to another version or agent, or is too large. */
  | "ERR_AGENT_PENDING_INVALID"
  /** The run would be suspended, but its pending state is too large or too deeply nested to be resumed. */
  | "ERR_AGENT_PENDING_TOO_LARGE"
  /** The pending state was altered, or signed with a key that this process does not have. */
  | "ERR_AGENT_PENDING_SIGNATURE"
  /** The pending state has expired. Run the question again. */
  | "ERR_AGENT_PENDING_EXPIRED"
  /** The pending state cannot be expired yet. */
  | "ERR_AGENT_PENDING_NOT_EXPIRED"
  /** The pending state was resumed before. */
  | "ERR_AGENT_PENDING_USED"
  /** A decision names a call that is not waiting. */
  | "ERR_AGENT_DECISION_UNKNOWN_CALL"
  /** The waiting call does not accept this decision, or an edited call names a tool that cannot run. */
  | "ERR_AGENT_DECISION_NOT_ALLOWED"
  /** A decision was made on other arguments, has the wrong kind, occurs twice or contains an invalid time. */
  | "ERR_AGENT_DECISION_MISMATCH";

/** The error class of @suite/agent. Errors of tools, models and plugins are never wrapped in it. */
export class AgentError extends codedError<AgentErrorCode>("AgentError", "@suite/agent/error") {}
