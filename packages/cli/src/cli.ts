#!/usr/bin/env node
import { main } from "./cli/main.js";

process.exitCode = await main(process.argv.slice(2));
// A set-up module may have left connections open, which would keep the process running.
setTimeout(() => process.exit(), 1000).unref();
