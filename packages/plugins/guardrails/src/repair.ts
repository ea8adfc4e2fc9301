import type { ModelRequest } from "@suite/core";

/** The purpose of the model calls that repair an answer for `schema`. */
export const repair = "repair_output";

/**
 * Returns true if the answer to a request becomes the agent's answer. For requests by plugins, this is only true for
 * repairs.
 */
export const goesOut = ({ purpose }: ModelRequest): boolean => purpose === undefined || purpose === repair;
