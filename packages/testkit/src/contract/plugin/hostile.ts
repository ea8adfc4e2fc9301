const nested = (depth: number, wrap: (inner: unknown) => unknown): unknown => {
  let value: unknown = "deep";
  for (let i = 0; i < depth; i++) value = wrap(value);
  return value;
};

const circular = (): unknown => {
  const value: Record<string, unknown> = { name: "me" };
  value.self = value;
  value.list = [value, value];
  return value;
};

/** A value that is small in memory, but has 2^20 nodes for code that does not detect shared references. */
const shared = (): unknown => nested(20, (inner) => [inner, inner]);

const throwing = (): never => {
  throw new Error("hostile getter");
};

const revoked = (): unknown => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

/** Creates values that a tool result, or the parsed arguments of a model, may contain. Each is created anew. */
export const hostileValues: Readonly<Record<string, () => unknown>> = {
  "objects 10,000 deep": () => nested(10_000, (inner) => ({ inner })),
  "arrays 10,000 deep": () => nested(10_000, (inner) => [inner]),
  "a getter that throws": () => Object.defineProperty({}, "name", { enumerable: true, get: throwing }),
  "a toJSON that throws": () => ({ toJSON: throwing }),
  "a proxy that throws": () => [
    new Proxy({}, { get: throwing, ownKeys: throwing, getPrototypeOf: throwing, has: throwing }),
  ],
  "a revoked proxy": () => [revoked()],
  "an object that is part of itself": circular,
  "an array shared 2^20 times": shared,
  "lone surrogates": () => ({ "\ud800": "\udfff and \ud83d" }),
  "a key named __proto__": () => JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":1}}'),
  "a bigint, a symbol and a function": () => [10n, Symbol("s"), () => "f"],
  "dates, maps, buffers and sparse arrays": () => [
    new Date(Number.NaN),
    new Map([[1, 2]]),
    new Uint8Array(3),
    new Array(3),
  ],
  "no prototype": () => Object.assign(Object.create(null), { name: "n" }),
  "a long text": () => "a@".repeat(100_000),
  undefined: () => undefined,
};

/** The errors that a tool or a client may throw. */
export const hostileErrors: Readonly<Record<string, () => unknown>> = {
  "an error whose message throws": () => Object.defineProperty(new Error("x"), "message", { get: throwing }),
  "an error that is its own cause": () => {
    const error = new Error("loop");
    error.cause = error;
    return error;
  },
  "a frozen error": () => Object.freeze(new Error("frozen")),
  "a revoked proxy": revoked,
  "a text": () => "only a text",
  undefined: () => undefined,
};

/** Strings that a user or a model may write. */
export const hostileTexts: readonly string[] = [
  "\ud800",
  "a\udfff\ud800b",
  "",
  "\u0000",
  "a@".repeat(50_000),
  "{".repeat(50_000),
  `"${"\\".repeat(50_000)}`,
];
