import type { Attributes, Link, SpanContext } from "@opentelemetry/api";
import { OWN } from "../attributes/own-names.js";

/** A link, and what it means. */
export const linkTo = (
  span: SpanContext,
  relation: "resumes" | "resumed_by" | "asked_by" | "called_by" | "undoes",
): Link => ({
  context: span,
  attributes: { [OWN.linkRelation]: relation } satisfies Attributes,
});
