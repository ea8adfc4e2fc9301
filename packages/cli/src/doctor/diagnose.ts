import { resolve } from "node:path";
import { name, optionsChecker } from "@suite/kit/options";
import { CliError } from "../errors.js";
import { installedIn } from "../project/installed.js";
import { projectOf } from "../project/manifest.js";
import { installCommand } from "../project/package-manager.js";
import { checkFrameworks } from "./adapters.js";
import { checkAudit } from "./audit-log.js";
import { checkCollector } from "./collector.js";
import { checkEnvironment } from "./environment.js";
import type { Finding } from "./finding.js";
import { checkPackages } from "./packages.js";
import { checkRedactor } from "./redactor.js";
import { checkSources } from "./sources.js";

/** The options of `diagnose`. */
export interface DiagnoseOptions {
  /** The folder of the project, or a folder in it. Default: the current one. */
  readonly folder?: string;
  /** The folder of an audit log to verify. Default: `.suite/audit`, if it exists. */
  readonly audit?: string;
  /**
   * A module that sets tracing up and exports `plugins`. A tiny agent runs with its tracing and its redactors in a
   * separate process, and the data that it sends is searched. Default: nothing is run.
   */
  readonly setup?: string;
}

const checkOptions = optionsChecker((message) => new CliError("ERR_CLI_OPTION", message));

/**
 * Checks the suite in a project: packages, frameworks, the collector, the audit log, the redactor.
 *
 * @throws CliError `ERR_CLI_OPTION`, or `ERR_CLI_PROJECT` if there is no package.json
 * @example
 * ```ts
 * const findings = await diagnose({ setup: "suite.js" });
 * const wrong = findings.filter(({ state }) => state === "wrong");
 * ```
 */
export async function diagnose(options: DiagnoseOptions = {}): Promise<readonly Finding[]> {
  options = checkOptions("diagnose", options, { folder: name, audit: name, setup: name });
  const { folder = ".", audit, setup } = options;
  const here = resolve(folder);
  const project = await projectOf(here);
  const install = await installCommand(project.folder);
  const redactor = await checkRedactor(here, setup);
  return [
    ...(await checkPackages([...(await installedIn(project)).values()], install)),
    ...(await checkFrameworks(project, install)),
    ...(await checkSources(project, install)),
    ...checkEnvironment(process.env),
    await checkCollector(process.env),
    ...(await checkAudit(here, audit)),
    ...redactor,
  ];
}
