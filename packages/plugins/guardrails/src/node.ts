export { readHead } from "./node/read-head.js";
export { readToolPolicy } from "./node/read-policy.js";
