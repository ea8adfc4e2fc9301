/** Wrong command-line arguments. */
export class UsageError extends Error {}
