// What `@jest/globals` is to test files that share a process. `jest` alone is another one in each.
import { globals } from "./runtime.mjs";

export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } = globals();
export const jest = new Proxy(globals().jest, { get: (_, name) => Reflect.get(globals().jest, name) });
