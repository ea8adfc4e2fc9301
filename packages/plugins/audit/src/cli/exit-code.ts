/**
 * The exit code of a command. 0: success. 1: a problem in the log. 2: the command could not be run. 3: only the end of
 * a file is in doubt.
 */
export type ExitCode = 0 | 1 | 2 | 3;
