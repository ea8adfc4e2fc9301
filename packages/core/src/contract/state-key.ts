/** A key of a value of a run. The key is the capability: unexported, it is private state; exported by core, it is shared by all. */
export interface StateKey<T> {
  readonly id: symbol;
  readonly create: () => T;
  readonly durable?: Durable<T>;
  /** Whether core alone sets the value, when a run begins; `set` refuses it afterwards. */
  readonly sealed?: boolean;
  /** The result of the run carries the value: `resultKey`. */
  readonly inResult?: boolean;
  /** A run and its sub-agents have one value, which is kept by the outermost run: `treeKey`. */
  readonly ofWholeTree?: boolean;
}

/** The way in which a value survives a suspension: stored as JSON under `name` in the pending state. No other key of the run may have that name. */
export interface Durable<T> {
  readonly name: string;
  save(value: T): unknown;
  load(stored: unknown): T;
}

/**
 * Makes a key for state of one run. A plugin keeps no such state on itself: one instance may serve many runs at once.
 *
 * @param durable lets the value survive a suspension, also into another process; its name must be unique in a run
 *   (`ERR_DUPLICATE_KEY`): two instances of one plugin need two names, made from what tells the instances apart.
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
 * Makes a key whose value a run shares with its sub-agents: a budget, say. It is kept, and travels, with the outermost run.
 *
 * @param durable as of `stateKey`.
 */
export const treeKey = <T>(name: string, create: () => T, durable?: Omit<Durable<T>, "name">): StateKey<T> => ({
  ...stateKey(name, create, durable),
  ofWholeTree: true,
});

/** A key that is the same in every copy of this package. For what core itself exports. */
export const sharedKey = <T>(name: string, create: () => T, options?: { readonly sealed?: boolean }): StateKey<T> => ({
  id: Symbol.for(`@suite/core/${name}`),
  create,
  ...options,
});
