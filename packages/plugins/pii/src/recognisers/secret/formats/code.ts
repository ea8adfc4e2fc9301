import { checksummed, jumbled, mixed } from "../checks.js";
import type { Formats } from "../format.js";

/** Forges, registries of packages, builds. */
export const code: Formats = {
  GitHub: [
    ["ghp_ gho_ ghu_ ghs_ ghr_", /[\dA-Za-z]{36}/, checksummed],
    ["ghr_", /[\dA-Za-z]{76}/, checksummed],
    ["github_pat_", /\w{82}/],
    ["v1.", /[\da-f]{40}/],
  ],
  GitLab: [
    ["glpat- gldt- glft- glsoat- glffct- glrt- glrtr- glwt-", /[\w-]{20,22}/],
    // Routable: a payload, its length and a checksum in base 36.
    [
      "glpat- gldt- glrt- glrtr- glcbt- gloas- glptt-",
      /[\w-]{27,300}\.[\da-z]{9}|[\w-]{27,300}\.[\da-z]{2}\.[\da-z]{9}/,
    ],
    ["glimt-", /[\w-]{25}/],
    ["glagent-", /[\w-]{50}/],
    ["gloas-", /[\w-]{64}/],
    ["glptt-", /[\da-f]{40}/],
    ["glcbt-", /[\dA-Za-z]{1,5}_[\w-]{20}/],
    ["glrt-", /t\d_[\w-]{20,40}/],
    ["GR1348941", /[\w-]{20}/],
  ],
  Bitbucket: [
    ["ATBB", /[\w=.-]{32,40}/, mixed],
    ["BBDC-", /[\w+/@-]{40,50}/],
  ],
  Atlassian: [["ATATT3 ATCTT3 ATSTT3", /[\w+/=-]{60,300}/]],
  Trello: [["ATTA", /[\da-fA-F]{72}/]],
  Sourcegraph: [
    ["sgp_", /(?:(?:[\da-fA-F]{16}|local)_)?[\da-fA-F]{40}/],
    ["slk_ sgd_", /[\da-f]{64}/],
  ],
  npm: [["npm_", /[\dA-Za-z]{36}/, checksummed]],
  PyPI: [["pypi-AgEIcHlwaS5vcmc pypi-AgENdGVzdC5weXBpLm9yZw", /[\w-]{50,1000}/]],
  RubyGems: [["rubygems_", /[\da-f]{48}/]],
  "crates.io": [["cio", /[\dA-Za-z]{32}/, mixed]],
  NuGet: [["oy2", /[\da-z]{43}/]],
  Clojars: [["CLOJARS_", /[\da-zA-Z]{60}/]],
  Packagist: [["packagist_", /[a-z]{3}_[\da-f]{60,72}/]],
  Docker: [
    ["dckr_pat_", /[\w-]{27}/],
    ["dckr_oat_", /[\w-]{32}/],
  ],
  JFrog: [
    ["AKCp", /[\dA-Za-z]{69}/],
    ["cmVmd", /[\dA-Za-z]{59}/],
  ],
  "Open VSX": [["ovsxp_ ovsxat_", /[\w-]{36}/]],
  CircleCI: [["CCIPAT_ CCIPRJ_", /[\dA-Za-z]{22}_[\da-fA-F]{40}/]],
  Buildkite: [["bkua_ bkct_ bkaj_ bkar_", /[\da-zA-Z]{40,64}/]],
  Snyk: [["snyk_uat. snyk_sat.", /[\w.-]{40,1000}/]],
  SonarQube: [
    ["squ_ sqp_ sqa_", /[\da-z]{40}/],
    ["sqco_", /[\dA-Za-z]{59}/],
  ],
  Prefect: [["pnu_ pnb_", /[\dA-Za-z]{36}/]],
  Pulumi: [["pul-", /[\da-z]{40}/]],
  Infracost: [["ico-", /[\dA-Za-z]{32}/]],
  "Octopus Deploy": [["API-", /[\dA-Z]{25,34}/, mixed]],
  Harness: [["pat. sat.", /[\w-]{22}\.[\dA-Za-z]{24}\.[\dA-Za-z]{20}/]],
  StackHawk: [["hawk.", /[\w-]{20}\.[\w-]{20}/]],
  "Dependency-Track": [["odt_", /[\dA-Za-z]{32,255}/, mixed]],
  "Endor Labs": [["endr+", /[\dA-Za-z-]{16}/]],
  Spectral: [["spu-", /[\da-z]{32}/]],
  Nightfall: [["NF-", /[\dA-Za-z]{32}/, mixed]],
  TeamCity: [["eyJ0eXAiOiAiVENWMiJ9.", /[\w-]{36}\.[\w-]{48}/]],
  Postman: [
    ["PMAK-", /[\da-zA-Z]{24}-[\da-zA-Z]{34}/],
    ["PMAT-", /[\dA-Z]{26}/],
  ],
  ReadMe: [["rdme_", /[\da-z]{70}/]],
  WakaTime: [["waka_", /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/]],
  Ionic: [["ion_", /[\da-z]{42}/]],
  "Trigger.dev": [["tr_dev_ tr_prod_ tr_stg_ tr_pat_", /[\dA-Za-z]{20,40}/, mixed]],
  Inngest: [["signkey-prod- signkey-test- signkey-branch-", /[\da-f]{64}/]],
  "JFrog, older": [["AKC", /[\dA-Za-z]{30,80}/, jumbled]],
  "Iterative Studio": [["isat_", /[\dA-Za-z]{40,60}/]],
  Thunderstore: [["tss_", /[\dA-Za-z]{28,40}/, mixed]],
  "Chief Tools": [["ctp_", /[\dA-Za-z]{30,44}/, mixed]],
};
