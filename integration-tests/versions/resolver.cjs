// Jest takes resolvers as CommonJS only.
const { join } = require("node:path");

const folder = process.env.VERSIONS_PROJECT;
const { dependencies } = require(join(folder, "package.json"));

const names = Object.keys(dependencies).filter((name) => !name.startsWith("@suite/"));
const installed = (request) => names.some((name) => request === name || request.startsWith(`${name}/`));

/** Packages that the project in `VERSIONS_PROJECT` has installed are taken from there, for sources and tests. */
module.exports = (request, options) => {
  const isOurs = !options.basedir.includes("/node_modules/");
  return options.defaultResolver(request, isOurs && installed(request) ? { ...options, basedir: folder } : options);
};
