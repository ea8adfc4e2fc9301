/**
 * A key of a value of a run. Access to the key is access to the value: an unexported key is private state, a key
 * exported by core is shared.
 */
export interface StateKey<T> {
  readonly id: symbol;
  readonly create: () => T;
  readonly durable?: Durable<T>;
  /** If true, only core sets the value, when a run begins. `set` throws afterwards. */
  readonly sealed?: boolean;
  /** If true, the run's result contains the value: `resultKey`. */
  readonly inResult?: boolean;
  /** If true, a run and its sub-agents share one value, kept by the outermost run: `treeKey`. */
  readonly ofWholeTree?: boolean;
}

/**
 * The form of a value in a suspension: stored as JSON under `name` in the pending state. The name must be unique in a
 * run.
 */
export interface Durable<T> {
  readonly name: string;
  save(value: T): unknown;
  load(stored: unknown): T;
}

/**
 * Creates a key for state of one run. A plugin must not keep such state on itself, since one instance may serve many
 * runs at once.
 *
 * @param durable lets the value survive a suspension, also into another process. Its name must be unique in a run
 * (`ERR_DUPLICATE_KEY`): two instances of one plugin need two names, such as the names of the instances.
 * @example
 * ```ts
 * const used = stateKey("budget.used", () => 0, { save: (n) => n, load: Number });
 * runtime.set(used, runtime.get(used) + 1);
 * ```
 */
export const stateKey = <T>(name: string, create: () => T, durable?: Omit<Durable<T>, "name">): StateKey<T> => ({
  id: Symbol(name),
  create,
  ...(durable && { durable: { name, save: durable.save, load: durable.load } }),
});

/**
 * Creates a key whose value a run shares with its sub-agents, such as a budget. The outermost run keeps the value and
 * stores it in a suspension.
 *
 * @param durable as in `stateKey`.
 */
export const treeKey = <T>(name: string, create: () => T, durable?: Omit<Durable<T>, "name">): StateKey<T> => ({
  ...stateKey(name, create, durable),
  ofWholeTree: true,
});

/** Creates a key that is the same in every copy of this package. For keys that core exports. */
export const sharedKey = <T>(name: string, create: () => T, options?: { readonly sealed?: boolean }): StateKey<T> => ({
  id: Symbol.for(`@suite/core/${name}`),
  create,
  ...options,
});
