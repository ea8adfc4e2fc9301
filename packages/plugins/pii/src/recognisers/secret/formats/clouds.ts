import { mixed } from "../checks.js";
import type { Formats } from "../format.js";

/** Clouds, hosting, databases. */
export const clouds: Formats = {
  AWS: [
    ["AKIA ASIA ABIA ACCA", /[\dA-Z]{16}/],
    ["A3T", /[\dA-Z]{17}/, mixed],
    // Session tokens: base64 that begins with the bytes of their version and the word `origin`.
    ["IQoJb3JpZ2lu FwoGZXIvYXdz FQoGZXIvYXdz", /[\dA-Za-z+/]{80,2000}={0,2}/],
    ["ABSK", /[\dA-Za-z+/]{109,269}={0,2}/],
    ["bedrock-api-key-", /[\dA-Za-z+/]{40,2000}={0,2}/],
    ["da2-", /[\da-z]{26}/],
    ["amzn.mws.", /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/],
    ["amzn1.oa2-cs.v1.", /[\da-f]{64}/],
  ],
  Google: [
    ["AIza", /[\w-]{35}/],
    ["AQ.", /[\w-]{30,120}/, mixed],
    ["ya29.", /[\w-]{10,2048}(?:\.[\w-]{10,2048})?/],
    ["GOCSPX-", /[\w-]{28}/],
    ["1//0", /[\w-]{40,110}/],
    ["4/0A", /[\w-]{40,90}/],
    ["GOOG1E", /[\dA-Z]{55,57}/],
    ["AAAA", /[\w-]{7}:APA91b[\w-]{130,140}/],
  ],
  DigitalOcean: [
    ["dop_v1_ doo_v1_ dor_v1_", /[\da-f]{64}/],
    ["DO00 DO80", /[\dA-Z]{16}/, mixed],
  ],
  Alibaba: [["LTAI", /[\dA-Za-z]{12,24}/, mixed]],
  Tencent: [["AKID", /[\dA-Za-z]{28,36}/, mixed]],
  Baidu: [["bce-v3/ALTAK-", /[\dA-Za-z]{21}\/[\da-f]{40}/]],
  Volcengine: [["AKLT", /[\dA-Za-z]{28,60}={0,2}/, mixed]],
  Yandex: [
    ["AQVN", /[\w-]{35,38}/],
    ["YC", /[\w-]{38}/, mixed],
    ["t1.", /[\w-]{1,400}={0,2}\.[\w-]{86}={0,2}/],
    ["y0_ y1_ y2_ y3_", /[\w-]{50,70}/, mixed],
  ],
  Scaleway: [["SCW", /[\dA-Z]{17}/, mixed]],
  Cloudflare: [
    ["cfk_ cfut_ cfat_", /[\dA-Za-z]{40}[\da-f]{8}/],
    ["v1.0-", /[\da-f]{24}-[\da-f]{146}|[\dA-Za-z-]{171}/],
  ],
  Heroku: [
    ["HRKU-AA", /[\w-]{58}/],
    ["HRKU-", /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/],
  ],
  "Fly.io": [
    ["fo1_", /[\w-]{43}/],
    ["fm1a_ fm1r_ fm2_", /[\dA-Za-z+/]{100,1000}={0,3}/],
  ],
  Vercel: [["vcp_ vci_ vca_ vcr_ vck_", /[\dA-Za-z]{20,60}/, mixed]],
  Netlify: [["nfp_ nfc_ nfo_ nfu_ nfb_", /[\dA-Za-z]{30,50}/, mixed]],
  Render: [["rnd_", /[\dA-Za-z]{28,40}/, mixed]],
  "Deno Deploy": [["ddp_ ddw_ ddo_", /[\dA-Za-z]{36}/]],
  Scalingo: [["tk-us-", /[\w-]{48}/]],
  Railway: [["rw_Fe26.", /[\w.*-]{60,400}/]],
  Supabase: [
    ["sbp_ sbp_oauth_", /[\da-z]{40}/],
    ["sb_secret_", /[\w-]{20,50}/, mixed],
  ],
  Neon: [["napi_", /[\da-z]{60,70}/]],
  PlanetScale: [["pscale_tkn_ pscale_oauth_ pscale_pw_ pscale_app_secret_", /[\w=.-]{32,64}/]],
  Aiven: [["AVNS_", /[\w-]{19}/]],
  Databricks: [["dapi dkea dose", /[\da-f]{32}(?:-\d)?/]],
  MongoDB: [["mdb_sa_sk_", /[\w-]{40}/]],
  Confluent: [["cflt", /[\dA-Za-z+/]{60}/, mixed]],
  ClickHouse: [["4b1d", /[\dA-Za-z]{38}/, mixed]],
  Elastic: [["essu_", /[\dA-Za-z+/]{40,200}={0,2}/]],
  Databento: [["db-", /[\dA-Za-z]{29}/, mixed]],
  OpenShift: [["sha256~", /[\w-]{43}/]],
  NATS: [["SUA SAA SOA SCA SNA", /[A-Z2-7]{55}/, mixed]],
  CockroachDB: [["CCDB1_", /[\dA-Za-z]{22}_[\dA-Za-z]{40}/]],
  Tigris: [["tsec_", /[\w-]{30,64}/, mixed]],
  Akamai: [["akab- akaa-", /[\da-z]{16}-[\da-z]{16}/, mixed]],
  "JD Cloud": [["JDC_", /[\dA-Z]{28}/]],
};
