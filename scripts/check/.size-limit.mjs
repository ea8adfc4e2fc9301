import { createRequire } from "node:module";

/** The limits of `.size-limit.json`. size-limit resolves paths from this folder, which has its plugins. */
const limits = createRequire(import.meta.url)("../../.size-limit.json");

export default limits.map((limit) => ({ ...limit, path: `../../${limit.path}` }));
