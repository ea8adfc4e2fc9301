import { mixed } from "../checks.js";
import type { Formats } from "../format.js";

/** Everything else: work, design, content, maps, devices. */
export const services: Formats = {
  Airtable: [["pat", /[\dA-Za-z]{14}\.[\da-f]{64}/]],
  Asana: [["1/1 2/1", /\d{10,20}(?:\/\d{10,20})?:[\da-f]{32}/]],
  Linear: [["lin_api_ lin_oauth_ lin_wh_", /[\dA-Za-z]{32,64}/]],
  Notion: [
    ["secret_", /[\dA-Za-z]{43}/],
    ["ntn_", /[\dA-Za-z]{40,50}/],
  ],
  Figma: [["figd_ figp_ figor_ figo_ figu_", /[\w=-]{40,200}/]],
  Dropbox: [["sl.", /(?:u\.)?[\w-]{130,1400}/]],
  Contentful: [["CFPAT-", /[\w-]{43}/]],
  Typeform: [["tfp_", /[\w.=-]{40,64}/]],
  "Frame.io": [["fio-u-", /[\w=-]{64}/]],
  ClickUp: [["pk_", /\d{7,9}_[\dA-Z]{32}/]],
  Mapbox: [["sk.eyJ1Ijoi tk.eyJ1Ijoi", /[\w-]{30,240}\.[\w-]{20,30}/]],
  Adobe: [["p8e-", /[\da-z-]{32}/]],
  Adafruit: [["aio_", /[\dA-Za-z]{28}/]],
  Bannerbear: [["bb_pr_ bb_ma_", /[\da-f]{30}/]],
  Close: [["api_", /[\dA-Za-z]{20,24}\.[\dA-Za-z]{20,24}/]],
  Ubidots: [["BBFF-", /[\dA-Za-z]{30}/]],
  Zoho: [["1000.", /[\da-f]{32}\.[\da-f]{32}/]],
  Salesforce: [
    ["00D", /[\dA-Za-z]{12,15}![\w.]{80,120}/],
    ["3MVG9", /[\w.+/=]{80,251}/],
    ["5Aep861", /[\w.=]{80,120}/],
  ],
  Samsara: [["samsara_api_", /[\dA-Za-z]{30}/]],
  "Val Town": [["vtwn_", /[\dA-Za-z]{20,40}/]],
  Zuplo: [["zpka_", /[\dA-Za-z]{32}_[\da-f]{8}/]],
  "42 Intra": [["s-s4t2ud- s-s4t2af-", /[\da-f]{64}/]],
  SettleMint: [["sm_aat_ sm_pat_ sm_sat_", /[\dA-Za-z]{16}/]],
  Fullstory: [["na1.", /[\dA-Za-z+/]{100}/]],
  dfuse: [["web_ server_", /[\da-f]{32}/]],
  Besttime: [["pri_", /[\da-f]{32}/]],
  Finage: [["API_KEY", /[\dA-Z]{32}/, mixed]],
  Scrapfly: [["scp-live- scp-test-", /[\da-z]{32}/]],
};
