// The arrows of the rooms: who may import whom. `npm test` checks them, and that a planted breach is found.
// Paths match anywhere, so that the same rules hold for the planted tree of the tests.

const rooms = "(?:^|/)packages";
const source = (room) => `${rooms}/${room}/src/`;
const published = source("(?:core|kit|wire|agent|cli|(?:plugins|stores|adapters)/[^/]+)");

/** A room may import, of the suite, itself and what is named. */
const room = (name, path, allowed) => ({
  name,
  severity: "error",
  from: { path: source(path) },
  // A library may stand in a package's own node_modules, where the root has another version of it.
  to: { path: `${rooms}/|^@suite/`, pathNot: [...allowed, "/node_modules/"] },
});

/** @suite/tracing names its optional peers where npm does not look: see CONTRIBUTING.md. */
const ownSdk = `${source("plugins/tracing")}node/`;

/** A peer that is compiled when it is installed, and is not there where there is no compiler. */
const compiled = "^pkcs11js$";

const declared = (name, from, allowed) => ({
  name,
  severity: "error",
  from,
  to: {
    pathNot: [`${rooms}/`, compiled, ...allowed],
    dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown", "unknown", "undetermined"],
    // What is both a peer and a development dependency is declared.
    dependencyTypesNot: ["npm", "npm-peer", "npm-optional"],
  },
});

const core = `${rooms}/core/`;
const kit = `${rooms}/kit/`;
/** The packages that every other package may import. */
const shared = [core, kit];
const wire = `${rooms}/wire/`;
const builtIns = ["core"];
const nodeOnly = "/src/(?:node|cli)(?:/|\\.ts$)";

export default {
  forbidden: [
    {
      name: "core-imports-nothing",
      comment: "It must load in a browser, and cost its users nothing.",
      severity: "error",
      from: { path: source("core") },
      to: { pathNot: source("core") },
    },
    room("kit-imports-core", "kit", [core, source("kit")]),
    room("wire-imports-core", "wire", [...shared, source("wire")]),
    room("agent-imports-core", "agent", [...shared, wire, source("agent")]),
    room("plugin-imports-core", "plugins/((?!audit-)[^/]+)", [...shared, source("plugins/$1")]),
    room("audit-imports-audit", "plugins/(audit-[^/]+)", [...shared, `${rooms}/plugins/audit/`, source("plugins/$1")]),
    room("store-imports-core", "stores/([^/]+)", [...shared, source("stores/$1")]),
    room("adapter-imports-core", "adapters/([^/]+)", [...shared, wire, source("adapters/$1")]),
    room("viewer-imports-what-it-shows", "viewer", [...shared, `${rooms}/plugins/audit/`, source("viewer")]),
    room("cli-imports-core", "cli", [...shared, source("cli")]),
    room("testkit-imports-core", "testkit", [...shared, source("testkit")]),
    {
      name: "only-tracing-knows-opentelemetry",
      severity: "error",
      from: { path: `${rooms}/`, pathNot: [source("plugins/tracing"), `${rooms}/bench/`] },
      to: { path: "@opentelemetry/" },
    },
    {
      name: "no-node-built-in",
      comment: "They run in browsers, Bun, Deno and Workers too. What needs Node is a subpath of its own.",
      severity: "error",
      from: {
        path: source("(?:core|kit|wire|agent|plugins/(?:pii|tracing))"),
        pathNot: nodeOnly,
      },
      to: { dependencyTypes: builtIns },
    },
    {
      name: "node-stays-in-its-subpath",
      severity: "error",
      from: { path: "/src/index\\.ts$" },
      to: { path: nodeOnly, reachable: true },
    },
    {
      name: "audit-loads-no-export",
      comment: "Exports and commands have separate entries: an agent that writes a log loads neither.",
      severity: "error",
      from: { path: `${source("plugins/audit")}index\\.ts$` },
      to: { path: `${source("plugins/audit")}(?:export|cli)/`, reachable: true },
    },
    {
      name: "no-circles",
      comment: "Not even of types: who reads one file need not have read the other.",
      severity: "error",
      from: {},
      // A tool is given its run, and a run has tools and is told of calls of all kinds: these three are one definition.
      to: { circular: true, via: { pathNot: `${core}src/contract/(?:kinds|runtime|notification)\\.ts$` } },
    },
    {
      name: "no-folder-circles",
      comment: "Who reads one folder need not have read the other. A file right in src is in nobody's folder.",
      severity: "error",
      scope: "folder",
      from: { path: "/src/" },
      to: { circular: true },
    },
    declared("declared-dependencies-only", { path: published, pathNot: ownSdk }, []),
    declared("the-set-up-has-peers-that-npm-does-not-count", { path: ownSdk }, ["/@opentelemetry/"]),
    {
      name: "resolvable",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: compiled },
    },
  ],
  options: {
    parser: "swc",
    tsPreCompilationDeps: true,
    // It reads no JSX: circles among the files of the viewer's page are Biome's to find.
    exclude: { path: "\\.tsx$|viewer/src/page/(?!style)" },
    doNotFollow: { path: ["node_modules", "/dist/"] },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
    },
  },
};
