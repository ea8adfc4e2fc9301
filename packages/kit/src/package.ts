/**
 * Returns the URL of a package's folder, with a slash at its end. Modules of a package are in `dist`, bundled or not, and
 * in `src` during tests.
 *
 * @param from the `import.meta.url` of a module of the package.
 * @example
 * ```ts
 * readFile(new URL("package.json", packageUrl(import.meta.url)), "utf8");
 * ```
 */
export const packageUrl = (from: string): URL => new URL(/^.*\/(?=(?:dist|src)\/)/.exec(from)?.[0] ?? ".", from);
