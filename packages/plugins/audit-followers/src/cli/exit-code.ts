/** The exit code of a command. 0: done. 1: not everything was sent, or too few witnesses cosigned. 2: it could not run. */
export type ExitCode = 0 | 1 | 2;
