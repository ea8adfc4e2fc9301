let crashing = false;

/** Returns true if an error is about to end this process. No other code runs then. */
export const isCrashing = (): boolean => crashing;

/** Records that an error is about to end this process. */
export const noteCrash = (): void => {
  crashing = true;
};
