/**
 * Creates a copy of an object with some replaced members. All others are read from the original, with the original as
 * `this` of getters, so that private fields (`#name`) of its class work.
 *
 * @param members the replaced members.
 * @param runsOnOriginal returns true for the name of a method whose `this` is the original. Any other method has the
 * copy as `this` and calls the replaced members.
 */
export function standIn<T extends object>(
  original: T,
  members: PropertyDescriptorMap,
  runsOnOriginal: (name: PropertyKey) => boolean,
): T {
  const target: T = Object.create(original, members);
  return new Proxy(target, {
    get(_, name, receiver) {
      if (Object.hasOwn(target, name)) return Reflect.get(target, name, receiver);
      const value: unknown = Reflect.get(original, name, original);
      return typeof value === "function" && runsOnOriginal(name) ? value.bind(original) : value;
    },
  });
}

/** The methods that describe a model. They never call the model, so they run on the original. */
const descriptions: ReadonlySet<PropertyKey> = new Set([
  ...["_llmType", "_modelType", "_identifyingParams", "_combineLLMOutput", "_getSerializedCacheKeyParametersForCall"],
  ...["invocationParams", "identifyingParams", "getLsParams", "getLsParamsWithDefaults", "getName", "toJSON"],
  ...["getNumTokens", "getNumTokensFromMessages", "lc_id"],
]);

/** Creates a copy of a model with replaced methods for its calls. */
export const standInModel = <T extends object>(model: T, members: PropertyDescriptorMap): T =>
  standIn(model, members, (name) => descriptions.has(name));
