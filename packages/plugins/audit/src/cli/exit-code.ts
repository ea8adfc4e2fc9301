/** The exit code of a command. 0: as it should be. 1: a problem in the log. 2: the question could not be asked so. 3: a doubt about the end of a file. */
export type ExitCode = 0 | 1 | 2 | 3;
