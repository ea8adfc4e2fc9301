import { OpenAIAgentsError } from "../errors.js";

type AnyFunction = (this: never, ...given: never[]) => unknown;

/** The originals of stand-ins: the SDK's function, and whose it is: copies of a tool have copies of its fields. */
const originals = new WeakMap<object, { readonly original: AnyFunction; readonly holder: object }>();

/**
 * Puts a function in the place of one of the SDK's, once. The SDK knows its tools, models and runners by identity, so that
 * no copy could take their place. What stands in must call the original wherever no run with plugins is near.
 *
 * @throws OpenAIAgentsError `ERR_OPENAI_AGENTS_FROZEN`
 */
export function standIn<F extends AnyFunction>(holder: object, name: string, make: (original: F) => F): void {
  const current: unknown = Reflect.get(holder, name);
  if (typeof current !== "function" || originals.get(current)?.holder === holder) return;
  const original = originalOf(current as F);
  const made = make(original);
  originals.set(made, { original, holder });
  const enumerable = Object.prototype.propertyIsEnumerable.call(holder, name);
  const put = Reflect.defineProperty(holder, name, { value: made, enumerable, writable: true, configurable: true });
  if (!put) {
    throw new OpenAIAgentsError(
      "ERR_OPENAI_AGENTS_FROZEN",
      `${name} cannot be replaced: the object is frozen, and would run past the plugins. Do not freeze it.`,
    );
  }
}

/** The original that a function stands in for; itself where it is the SDK's own. */
export const originalOf = <F extends AnyFunction>(given: F): F => (originals.get(given)?.original ?? given) as F;
