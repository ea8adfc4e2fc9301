import { type Message, type StateKey, stateKey } from "@suite/core";
import { isObject } from "@suite/kit";
import { textOfValue } from "../text.js";

/** The summary of the first messages of a history, for frameworks with a history that cannot be replaced. */
export interface StoredSummary {
  readonly text: string;
  /** The number of messages that it covers, not counting the system prompt. */
  readonly of: number;
  /** Identifies the last of these messages, to check that the history is the same. */
  readonly last: string;
}

/** The state of a run: the summary, and the number of consecutive failures. */
export interface SummaryState {
  readonly summary?: StoredSummary | undefined;
  readonly failures: number;
}

export const summaryKey = (name: string): StateKey<SummaryState> =>
  stateKey<SummaryState>(`${name}.summary`, () => ({ failures: 0 }), { save: (state) => state, load });

function load(stored: unknown): SummaryState {
  if (!isObject(stored)) return { failures: 0 };
  const { summary, failures } = stored;
  const known = isObject(summary) && isSummary(summary) ? summary : undefined;
  return { failures: typeof failures === "number" && failures >= 0 ? failures : 0, summary: known };
}

const isSummary = (value: object): value is StoredSummary => {
  const { text, of, last } = value as Partial<Record<keyof StoredSummary, unknown>>;
  return typeof text === "string" && typeof of === "number" && of > 0 && typeof last === "string";
};

/** The number of characters that identify a message. More would cost time without benefit. */
const mark = 200;

/** Returns a string that identifies a message. */
export const markOf = ({ role, parts }: Message): string =>
  `${role} ${parts.map((part) => ("id" in part ? part.id : "content" in part ? textOfValue(part.content).slice(0, mark) : part.type)).join(" ")}`.slice(
    0,
    mark,
  );

/** Returns the summary if it covers the beginning of these messages. */
export function summaryOf(
  { summary }: SummaryState,
  messages: readonly Message[],
  first: number,
): StoredSummary | undefined {
  const last = summary === undefined ? undefined : messages[first + summary.of - 1];
  return last !== undefined && markOf(last) === summary?.last ? summary : undefined;
}
