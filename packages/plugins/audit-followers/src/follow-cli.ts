#!/usr/bin/env node
import { main } from "./cli/main.js";

process.exitCode = await main("suite-audit-follow", process.argv.slice(2));
