const word = /^[\w.:-]{1,100}$/;

/** The type of an error, without content: its code, its HTTP status, or the name of its class. */
export function typeOf(error: unknown): string {
  try {
    if (typeof error !== "object" || error === null) return typeof error;
    const { code, status, name } = error as { code?: unknown; status?: unknown; name?: unknown };
    for (const each of [code, status, name]) {
      if (typeof each === "number" || (typeof each === "string" && word.test(each))) return `${each}`;
    }
  } catch {
    // a getter that throws says nothing
  }
  return "Error";
}
