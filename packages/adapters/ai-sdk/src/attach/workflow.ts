/** Classes of `@ai-sdk/workflow` and `@workflow/ai`, by name. Both packages are too large to depend on. */
const names = ["WorkflowAgent", "DurableAgent"] as const;

/**
 * Returns the name of the workflow agent that a target is or exports. Returns `undefined` for other targets. A
 * subclass is recognised too.
 */
export function workflowAgentIn(target: object): string | undefined {
  const exported = names.find((name) => name in target && typeof Reflect.get(target, name) === "function");
  if (exported !== undefined) return exported;
  for (let at: unknown = Object.getPrototypeOf(target); at instanceof Object; at = Object.getPrototypeOf(at)) {
    const name = names.find((known) => known === (at as object).constructor?.name);
    if (name !== undefined) return name;
  }
  return undefined;
}
