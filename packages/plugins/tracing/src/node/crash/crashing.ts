let crashing = false;

/** Whether this process is about to end by an error: nothing runs in it any more but what runs now. */
export const isCrashing = (): boolean => crashing;

/** The process is about to end by an error. */
export const noteCrash = (): void => {
  crashing = true;
};
