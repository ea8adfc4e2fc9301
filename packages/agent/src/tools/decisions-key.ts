import { stateKey } from "@suite/core";
import type { Decision } from "../pending/decisions.js";

/** What a resumed run brings with it, by the id of the pending call. */
export const decisionsKey = stateKey<ReadonlyMap<string, Decision>>("agent.decisions", () => new Map());
