// Jest takes resolvers as CommonJS only.
const { devDependencies } = require("./package.json");

const names = Object.keys(devDependencies);
const own = (request) => names.some((name) => request === name || request.startsWith(`${name}/`));

/** What this folder has a version of is taken from here, whoever of the suite's sources or tests asks for it. */
module.exports = (request, options) => {
  const asksForOwn = own(request) && !options.basedir.includes("/node_modules/");
  return options.defaultResolver(request, asksForOwn ? { ...options, basedir: __dirname } : options);
};
