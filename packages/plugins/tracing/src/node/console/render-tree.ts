import { SpanStatusCode } from "@opentelemetry/api";
import { SUITE } from "../../attributes/own-names.js";
import { ATTR } from "../../attributes/semconv.js";
import type { ExportedSpan } from "../redact/exported-span.js";
import { duration, printable } from "./terminal.js";

/** A span and its child spans, in order of their start. */
export interface TreeNode {
  readonly span: ExportedSpan;
  readonly children: readonly TreeNode[];
}

/** Returns the lines of a tree: one span per line, children below their parent. */
export function renderTree(node: TreeNode): string[] {
  return [line(node.span), ...branches(node.children, "")];
}

function branches(children: readonly TreeNode[], indent: string): string[] {
  return children.flatMap((child, index) => {
    const last = index === children.length - 1;
    return [
      `${indent}${last ? "└─" : "├─"} ${line(child.span)}`,
      ...branches(child.children, `${indent}${last ? "   " : "│  "}`),
    ];
  });
}

function line({ name, attributes, status, duration: took }: ExportedSpan): string {
  const words = [printable(name)];
  if (attributes[SUITE.toolExternal] === true) words.push("[external]");
  words.push(duration(took));
  const tokens = [attributes[ATTR.usageInputTokens], attributes[ATTR.usageOutputTokens]];
  if (tokens.every((count) => count !== undefined)) words.push(`${tokens.join("→")} tokens`);
  const decision = attributes[SUITE.approvalDecision];
  if (typeof decision === "string") words.push(printable(decision));
  const state = attributes[SUITE.status];
  if (typeof state === "string") words.push(printable(state));
  if (status.code === SpanStatusCode.ERROR)
    words.push(`ERROR ${printable(String(attributes[ATTR.errorType] ?? ""))}`.trim());
  return words.join(" ");
}
