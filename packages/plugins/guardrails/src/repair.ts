import type { ModelRequest } from "@suite/core";

/** The purpose of the question by which `schema` has an answer repaired. */
export const repair = "repair_output";

/** Whether the answer to a request goes out as the agent's own: of what plugins ask, a repaired answer does. */
export const goesOut = ({ purpose }: ModelRequest): boolean => purpose === undefined || purpose === repair;
