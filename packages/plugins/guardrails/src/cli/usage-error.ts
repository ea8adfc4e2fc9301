/** The error of a wrong usage: what was asked makes no sense. */
export class UsageError extends Error {}
