import { mixed } from "../checks.js";
import type { Formats } from "../format.js";

/** Telemetry, errors, flags, product analytics. */
export const observability: Formats = {
  "New Relic": [
    ["NRAK-", /[\dA-Za-z]{27}/],
    ["NRAA-", /[\da-f]{27}/],
    ["NRII- NRIQ-", /[\w-]{25,32}/],
    ["NRRA-", /[\da-f]{42}/],
    ["NRJS- NRBR-", /[\da-f]{19}/],
    ["px-api- px-dep-", /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/],
  ],
  Grafana: [
    ["glsa_", /[\dA-Za-z]{32}_[\da-fA-F]{8}/],
    ["glc_", /[\dA-Za-z+/]{32,400}={0,3}/],
    ["eyJrIjoi", /[\dA-Za-z]{60,400}={0,3}/],
  ],
  Sentry: [
    ["sntrys_eyJ", /[\dA-Za-z+/]{40,500}={0,2}_[\dA-Za-z+/]{43}/],
    ["sntryu_ sntrya_ sntryi_", /[\da-f]{64}/],
  ],
  Dynatrace: [["dt0c01. dt0s01. dt0s02. dt0s08. dt0s16.", /[\dA-Z]{24}\.[\dA-Z]{64}/]],
  Honeycomb: [["hcaik_ hcaic_ hcaim_ hcamk_ hcbik_ hcxik_", /[\da-z]{56,64}/]],
  Axiom: [["xaat- xapt-", /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/]],
  PostHog: [["phx_ phs_ pha_ phr_", /[\dA-Za-z]{43,48}/]],
  LaunchDarkly: [["sdk- api-", /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/]],
  Statsig: [["secret-", /[\dA-Za-z]{43}/]],
  DevCycle: [["dvc_server_ dvc_mobile_", /[\dA-Za-z]{4,64}(?:_[\da-zA-Z]{4,64}){0,2}/, mixed]],
  Rootly: [["rootly_", /[\da-f]{64}/]],
  pganalyze: [["pgar_", /[\dA-Za-z]{27}/]],
  Segment: [["sgp_", /[\dA-Za-z]{64}/]],
  "Salad Cloud": [["salad_cloud_", /[\dA-Za-z]{1,7}_[\dA-Za-z]{7,235}/]],
  Kong: [["kpat_ spat_", /[\dA-Za-z]{40,64}/]],
};
