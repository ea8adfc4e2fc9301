import type { ToolChoice } from "@suite/core/contract";

/** A tool choice of LangChain. */
export type LangChainChoice = string | { readonly type: "function"; readonly function: { readonly name: string } };

/** Converts a tool choice of LangChain to the neutral one. */
export const choiceOf = (choice: LangChainChoice): ToolChoice =>
  typeof choice === "string" ? (choice as ToolChoice) : { name: choice.function.name };

/** Converts a neutral tool choice to LangChain's. */
export const langchainChoice = <C extends LangChainChoice>(choice: ToolChoice): C =>
  (typeof choice === "string" ? choice : { type: "function", function: { name: choice.name } }) as C;
