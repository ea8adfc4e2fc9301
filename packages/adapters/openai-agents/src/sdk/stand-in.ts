import { OpenAIAgentsError } from "../errors.js";

type AnyFunction = (this: never, ...args: never[]) => unknown;

/** The originals of replaced functions, with their objects. Copies of a tool have copies of its functions. */
const originals = new WeakMap<object, { readonly original: AnyFunction; readonly holder: object }>();

/**
 * Replaces a method of an SDK object once. The SDK identifies its tools, models and runners by identity, so a copy
 * cannot replace them. The new function must call the original outside of a run with plugins.
 *
 * @throws OpenAIAgentsError `ERR_OPENAI_AGENTS_FROZEN`
 */
export function standIn<F extends AnyFunction>(holder: object, name: string, make: (original: F) => F): void {
  const current: unknown = Reflect.get(holder, name);
  if (typeof current !== "function" || originals.get(current)?.holder === holder) return;
  const original = originalOf(current as F);
  const replacement = make(original);
  originals.set(replacement, { original, holder });
  const enumerable = Object.prototype.propertyIsEnumerable.call(holder, name);
  const put = Reflect.defineProperty(holder, name, {
    value: replacement,
    enumerable,
    writable: true,
    configurable: true,
  });
  if (!put) {
    throw new OpenAIAgentsError(
      "ERR_OPENAI_AGENTS_FROZEN",
      `${name} cannot be replaced because the object is frozen, so it would bypass the plugins. Do not freeze it.`,
    );
  }
}

/** Returns the original of a replaced function, or the function itself if it was not replaced. */
export const originalOf = <F extends AnyFunction>(method: F): F => (originals.get(method)?.original ?? method) as F;
