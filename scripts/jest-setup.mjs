import fc from "fast-check";

// On CI a commit is judged by its own content, and not by what is drawn that day. Everywhere else each run draws anew.
if (process.env.CI && !process.env.TEST_LONG) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20261122 });
