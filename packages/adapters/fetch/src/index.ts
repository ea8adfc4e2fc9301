export { FetchError, type FetchErrorCode, type Refusal } from "./errors.js";
export type { Fetch } from "./exchange/target.js";
export { type Client, fetchWithPlugins, type ServedHooks, withPlugins } from "./with-plugins.js";
