import { OpenAIAgentsError } from "../errors.js";

type AnyFunction = (this: never, ...given: never[]) => unknown;

/** What stands in for a function of the SDK's, and that function. */
const originals = new WeakMap<object, AnyFunction>();

/**
 * Puts a function in the place of one of the SDK's, once. The SDK knows its tools, models and runners by identity, so that
 * no copy could take their place. What stands in must call the original wherever no run with plugins is near.
 *
 * @throws OpenAIAgentsError `ERR_FROZEN`
 */
export function standIn<F extends AnyFunction>(holder: object, name: string, make: (original: F) => F): void {
  const current: unknown = Reflect.get(holder, name);
  if (typeof current !== "function" || originals.has(current)) return;
  const made = make(current as F);
  originals.set(made, current as AnyFunction);
  const enumerable = Object.prototype.propertyIsEnumerable.call(holder, name);
  const put = Reflect.defineProperty(holder, name, { value: made, enumerable, writable: true, configurable: true });
  if (!put) {
    throw new OpenAIAgentsError(
      "ERR_FROZEN",
      `${name} cannot be replaced: the object is frozen, and would run past the plugins. Do not freeze it.`,
    );
  }
}

/** What a function stands in for; itself where it is the SDK's own. */
export const originalOf = <F extends AnyFunction>(given: F): F => (originals.get(given) ?? given) as F;
