#!/usr/bin/env node
import { main } from "./cli/main.js";

process.exitCode = await main("suite-audit-witness", process.argv.slice(2));
