export { readToolPolicy } from "./node/read-policy.js";
