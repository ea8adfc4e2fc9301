let crashing = false;

/** True if an error is about to end this process, which runs nothing else any more. */
export const isCrashing = (): boolean => crashing;

/** Records that an error is about to end this process. */
export const noteCrash = (): void => {
  crashing = true;
};
