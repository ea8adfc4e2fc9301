/** Reads a stored list of strings. Other items are dropped, because the state may come from outside. */
export const textsOf = (stored: unknown): readonly string[] =>
  Array.isArray(stored) ? stored.filter((each): each is string => typeof each === "string") : [];
