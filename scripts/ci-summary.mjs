// Adds up the JSON reports of jest in a folder. The last line of CI is what this prints.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [folder = ".", failedSteps = "0"] = process.argv.slice(2);
const reports = readdirSync(folder).filter((name) => name.endsWith(".json"));
let passed = 0;
let failed = Number(failedSteps);
for (const name of reports) {
  const report = JSON.parse(readFileSync(join(folder, name), "utf8"));
  passed += report.numPassedTests;
  failed += report.numFailedTests + report.numRuntimeErrorTestSuites;
}
console.log(`${passed} passed, ${failed} failed`);
