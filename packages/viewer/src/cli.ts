#!/usr/bin/env node
import { main } from "./cli/main.js";

// The reader has seen enough: `| head`.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});
process.exitCode = await main(process.argv.slice(2));
