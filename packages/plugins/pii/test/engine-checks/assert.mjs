// The checks run where there is no test framework: this is all that they need of one.

/** @param {boolean} condition @param {string} what is promised */
export function ok(condition, what) {
  if (!condition) throw new Error(`Not so: ${what}`);
}

/** Compares by what both hold, objects with their keys in order. @param {unknown} actual @param {unknown} expected @param {string} what */
export function same(actual, expected, what) {
  const [is, should] = [show(actual), show(expected)];
  if (is !== should) throw new Error(`${what}: ${is.slice(0, 500)} instead of ${should.slice(0, 500)}`);
}

/** The error that `run` throws, which has this code. @param {string} code @param {() => unknown} run @param {string} what */
export function thrown(code, run, what) {
  try {
    run();
  } catch (error) {
    const { code: given, message } = /** @type {{ code?: string, message?: string }} */ (error);
    if (given !== code) throw new Error(`${what}: ${given ?? message} instead of ${code}`);
    return /** @type {Error & { types: readonly string[] }} */ (error);
  }
  throw new Error(`${what}: no error instead of ${code}`);
}

/** @param {unknown} value */
const show = (value) => JSON.stringify(value, readable) ?? String(value);

/** @param {string} _key @param {unknown} value */
function readable(_key, value) {
  if (typeof value === "bigint") return `${value}n`;
  if (value === undefined) return "undefined";
  if (value instanceof Map) return { map: [...value] };
  return value instanceof Set ? { set: [...value] } : value;
}
