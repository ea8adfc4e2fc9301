import { AuditError } from "../errors.js";
import { firstMatch, type Match, type Matched } from "./match.js";

/**
 * The amount of content in a record. `none`: nothing. `metadata`: types, sizes, names. `redacted`: all of it, through
 * the redactor; without a redactor, metadata. `full`: all of it, through the redactor if there is one.
 */
export type ContentLevel = "none" | "metadata" | "redacted" | "full";

/**
 * The behaviour when records cannot be written. `required`: an act whose intent is not durable does not run, and its
 * outcome is durable before it is returned. `buffered`: kept in memory up to a bound, and retried. Lost records are
 * counted in a `gap` record. `best-effort`: tried once.
 */
export type DeliveryMode = "required" | "buffered" | "best-effort";

/** A rule for the content of matching records. */
export interface ContentRule extends Match {
  readonly content: ContentLevel;
}

/** A rule for the delivery of matching records. */
export interface DeliveryRule extends Match {
  readonly delivery: DeliveryMode;
}

/** The rules for content and delivery. The first matching rule of a list applies, otherwise the default. */
export interface AuditPolicy {
  /** Default: `none`. */
  readonly content?: ContentLevel | readonly ContentRule[];
  /**
   * Default: `required` for tools, `buffered` for everything else. Notifications cannot wait: for them, required means
   * buffered.
   */
  readonly delivery?: DeliveryMode | readonly DeliveryRule[];
}

/** A compiled policy. */
export interface CompiledPolicy {
  /** The rules in order, the defaults last, as plain data. */
  readonly rules: { readonly content: readonly ContentRule[]; readonly delivery: readonly DeliveryRule[] };
  content(record: Matched): ContentLevel;
  delivery(record: Matched): DeliveryMode;
}

/** The delivery if no rule matches. */
const DELIVERY: readonly DeliveryRule[] = [{ type: "tool", delivery: "required" }, { delivery: "buffered" }];

const levels = new Set<string>(["none", "metadata", "redacted", "full"] satisfies ContentLevel[]);
const modes = new Set<string>(["required", "buffered", "best-effort"] satisfies DeliveryMode[]);

/** @throws AuditError `ERR_AUDIT_INVALID_OPTION` for an unknown level or mode */
export function compilePolicy({ content = [], delivery = [] }: AuditPolicy = {}): CompiledPolicy {
  const contents = typeof content === "string" ? [{ content }] : content;
  const deliveries = typeof delivery === "string" ? [{ delivery }] : delivery;
  check(
    "content",
    contents.map((rule) => rule.content),
    levels,
  );
  check(
    "delivery",
    deliveries.map((rule) => rule.delivery),
    modes,
  );
  const contentRule = firstMatch(contents);
  const deliveryRule = firstMatch(deliveries);
  return {
    rules: { content: [...contents, { content: "none" }], delivery: [...deliveries, ...DELIVERY] },
    content: (record) => contentRule(record)?.content ?? "none",
    delivery: (record) => deliveryRule(record)?.delivery ?? (record.type === "tool" ? "required" : "buffered"),
  };
}

function check(what: string, values: readonly string[], allowed: ReadonlySet<string>): void {
  const wrong = values.findIndex((value) => !allowed.has(value));
  if (wrong < 0) return;
  const names = [...allowed].join(", ");
  throw new AuditError(
    "ERR_AUDIT_INVALID_OPTION",
    `policy.${what}: rule ${wrong} has an unknown ${what}. Use one of ${names}.`,
  );
}
