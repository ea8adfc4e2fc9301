import { contextBoost, contextPattern } from "../scan/context.js";
import { contextWindow } from "../scan/labels.js";
import type { Recogniser } from "../scan/recogniser.js";
import type { CompiledRule } from "../scan/rule.js";
import { invalidRule } from "./invalid.js";
import type { Rule } from "./rule.js";

const defaultThreshold = 0.5;

/** Compiles the weights of a rule, which decide if a match is certain enough. */
export function compileWeights(
  type: string,
  { threshold, context }: Rule,
  recogniser: Recogniser | undefined,
): Pick<CompiledRule, "threshold" | "weighed" | "labels" | "context" | "most"> {
  if (threshold !== undefined && !(typeof threshold === "number" && threshold >= 0 && threshold <= 1)) {
    throw invalidRule(type, "threshold must be a number from 0 to 1.");
  }
  if (context !== undefined && !isWords(context)) {
    throw invalidRule(type, `context must be a list of words of 1 to ${contextWindow} characters.`);
  }
  const labels = recogniser?.labels;
  return {
    threshold: threshold ?? (recogniser || context ? defaultThreshold : 0),
    weighed:
      labels !== undefined ||
      context !== undefined ||
      recogniser?.alone !== undefined ||
      recogniser?.weigh !== undefined,
    labels,
    most: Math.max(0, ...Object.values(labels ?? {})) + (context ? contextBoost : 0),
    context: context && contextPattern(context),
  };
}

const isWords = (context: unknown): context is readonly string[] =>
  Array.isArray(context) &&
  context.length > 0 &&
  context.every((word) => typeof word === "string" && word.length > 0 && word.length <= contextWindow);
