import type { Attributes, Link, SpanContext } from "@opentelemetry/api";
import { SUITE } from "../attributes/own-names.js";

/** Creates a link with its meaning as an attribute. */
export const linkTo = (
  span: SpanContext,
  relation: "resumes" | "resumed_by" | "asked_by" | "called_by" | "undoes",
): Link => ({
  context: span,
  attributes: { [SUITE.linkRelation]: relation } satisfies Attributes,
});
