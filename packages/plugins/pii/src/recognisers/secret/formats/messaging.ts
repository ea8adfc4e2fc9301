import { jumbled, mixed } from "../checks.js";
import type { Formats } from "../format.js";

/** Chat, mail, telephony, social networks. */
export const messaging: Formats = {
  Slack: [
    ["xoxa- xoxb- xoxc- xoxe- xoxo- xoxp- xoxr- xoxs-", /(?:\d-)?[\dA-Za-z]{8,200}(?:-[\dA-Za-z]{6,70}){0,4}/, mixed],
    ["xoxd-", /[\w%+/=-]{60,400}/],
    ["xoxe.xoxb- xoxe.xoxp-", /\d-[\dA-Za-z]{140,200}/],
    ["xapp- xwfp-", /\d{1,12}-[\dA-Za-z+/]{8,15}(?:-[\dA-Za-z+/]{10,66}){0,2}/, mixed],
    ["xapp-", /\d{12}-[\dA-Za-z+/]{24}/],
  ],
  Discord: [["MT MD Mj Mz ND NT Nj Nz OD OT", /[\w-]{21,26}\.[\w-]{6}\.[\w-]{27,40}/]],
  Twilio: [
    ["SK", /[\da-f]{32}/],
    ["SK", /[\dA-Za-z]{32}/, jumbled],
  ],
  SendGrid: [["SG.", /[\w-]{20,24}\.[\w-]{39,50}/]],
  Mailgun: [["key-", /[\da-z]{32}/, mixed]],
  MailerSend: [["mlsn.", /[\da-f]{64}/]],
  Mandrill: [["md-", /[\w-]{22}/, mixed]],
  Brevo: [["xkeysib- xsmtpsib-", /[\da-f]{64}-[\dA-Za-z]{16}/]],
  Resend: [["re_", /[\dA-Za-z]{8,10}_[\dA-Za-z]{22,24}/]],
  Courier: [["pk_prod_ pk_test_ dk_prod_ dk_test_", /[\dA-Z]{28}/]],
  HubSpot: [["pat-na1- pat-na2- pat-na3- pat-eu1- pat-ap1-", /[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}/]],
  Intercom: [["dG9rO", /[\dA-Za-z+/]{53,55}={0,2}/]],
  OneSignal: [["os_v2_app_ os_v2_org_", /[\da-z]{60,110}/]],
  Telnyx: [["KEY0", /[\dA-F]{31}_[\dA-Za-z]{22}/]],
  Matrix: [["syt_", /[\dA-Za-z+/]{4,60}={0,2}_[\dA-Za-z]{20}_[\dA-Za-z]{6}/]],
  PubNub: [["sec-c-", /[\dA-Za-z+/]{40,56}={0,2}/]],
  Meta: [
    ["EAACEdEose0cBA", /[\dA-Za-z]{20,500}/],
    ["EAA", /[\dA-Za-z]{100,500}/],
    ["IGQV IGAA", /[\w-]{100,500}/],
  ],
  X: [["AAAAAAAAAAAAAAAAAAAAA", /[\w%]{60,110}/]],
  LinkedIn: [["WPL_AP1.", /[\dA-Za-z]{16}\.[\dA-Za-z+/]{6}={0,2}/]],
  Twitch: [["live_", /\d{8,12}_[\dA-Za-z]{30,36}/]],
  Lichess: [["lip_", /[\dA-Za-z]{20}/]],
  Riot: [["RGAPI-", /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/]],
};
