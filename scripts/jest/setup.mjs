import fc from "fast-check";

// On CI a commit is judged by its own content, and not by what is drawn that day. Everywhere else each run draws anew;
// FC_SEED repeats what a failed run has printed.
const { CI, TEST_LONG, FC_SEED = CI && !TEST_LONG ? "20261122" : undefined } = process.env;
if (FC_SEED !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(FC_SEED) });
