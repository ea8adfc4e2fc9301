import { type Attributes, type Span, type SpanEvent, textAt } from "./span.js";

/** The decision of a guard, a limit or a person, read from an event of a span. */
export interface Decision {
  /** The decision: `modify`, `block`, `retry`, `approved`. */
  readonly word: string;
  /** The plugin or person that decided. */
  readonly by?: string;
  /** The subject of the decision: an input, an output, a tool. */
  readonly place?: string;
  /** The reason: the findings, or the plugin's explanation. */
  readonly why?: string;
  /** True if it took effect. A guard in monitor mode only reports. */
  readonly enforced: boolean;
}

/** Returns the decisions of guards, limits and people among the events of a span. */
export const decisionsOf = ({ events }: Span): readonly SpanEvent[] =>
  events.filter(({ name }) => /(?:^|\.)(?:decision|guardrail|limit|evaluation|approval)/.test(name));

/** Formats a decision as text. */
export function decisionIn({ name, attributes }: SpanEvent): Decision {
  const word = first(attributes, words) ?? (name.endsWith(".limit") ? "limit" : name);
  const by = first(attributes, deciders);
  const place = first(attributes, placeAttributes);
  const why = reasonOf(attributes);
  const enforced = ["suite.guardrail.enforced", "suite.decision.enforced"].every((key) => attributes[key] !== false);
  return {
    ...{ word, enforced },
    ...(by !== undefined && { by }),
    ...(place !== undefined && { place }),
    ...(why !== undefined && { why }),
  };
}

const words = [
  "suite.guardrail.decision",
  "suite.decision.name",
  "suite.approval.decision",
  "gen_ai.guardrail.result.type",
  "gen_ai.tool.call.decision.outcome",
];
const deciders = [
  "suite.guardrail.plugin",
  "suite.decision.plugin",
  "suite.approval.by",
  "gen_ai.guardrail.component.name",
];
const placeAttributes = [
  "suite.guardrail.place",
  "suite.decision.place",
  "gen_ai.tool.name",
  "gen_ai.guardrail.source",
];

const first = (attributes: Attributes, keys: readonly string[]): string | undefined =>
  keys.map((key) => textAt(attributes, key)).find((each) => each !== undefined);

/**
 * Returns the reason of a decision: its explanation, the findings, the limit that was reached, or the person who
 * answered.
 */
function reasonOf(attributes: Attributes): string | undefined {
  const found = [...countsIn(textAt(attributes, "suite.guardrail.findings"))].map(([type, times]) =>
    times === 1 ? type : `${times} ${type}`,
  );
  const answer = textAt(attributes, "suite.decision.detail.answer");
  const by = textAt(attributes, "suite.decision.detail.by");
  const limit = textAt(attributes, "suite.limit.name");
  const most = attributes["suite.limit.maximum"];
  const all = [
    textAt(attributes, "suite.decision.reason") ?? textAt(attributes, "gen_ai.guardrail.result.reason"),
    found.length > 0 ? `found ${found.join(", ")}` : undefined,
    limit && (typeof most === "number" ? `${limit}, at most ${most}` : limit),
    answer && (by === undefined ? answer : `${answer}, by ${by}`),
  ].filter((each) => each !== undefined && each !== "");
  return all.length === 0 ? undefined : all.join("; ");
}

/** The most types of findings that are read from one event of a guard. */
const MOST_TYPES = 100;

/** Parses counts by type from JSON. Returns an empty list for any other string. */
export function countsIn(text: string | undefined): readonly (readonly [string, number])[] {
  if (text === undefined) return [];
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
    return Object.entries(value)
      .filter((entry): entry is [string, number] => Number.isSafeInteger(entry[1]) && entry[1] > 0)
      .slice(0, MOST_TYPES);
  } catch {
    return [];
  }
}
