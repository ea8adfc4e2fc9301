/** A stored value as a list of texts: what else is in a state that came from outside is left out. */
export const textsOf = (stored: unknown): readonly string[] =>
  Array.isArray(stored) ? stored.filter((each): each is string => typeof each === "string") : [];
