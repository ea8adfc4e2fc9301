import type { ToolChoice } from "@suite/core";

/** A choice of LangChain among tools. */
export type GivenChoice = string | { readonly type: "function"; readonly function: { readonly name: string } };

/** The choice of LangChain as layers see it. */
export const choiceOf = (choice: GivenChoice): ToolChoice =>
  typeof choice === "string" ? (choice as ToolChoice) : { name: choice.function.name };

/** The choice of layers as LangChain has it. */
export const givenChoice = <C extends GivenChoice>(choice: ToolChoice): C =>
  (typeof choice === "string" ? choice : { type: "function", function: { name: choice.name } }) as C;
