import { describe, expect, it } from "@jest/globals";
import { createRedactor, detect } from "@suite/pii";

const found = (text: string): string[] => detect(text).map(({ start, end }) => text.slice(start, end));

describe("versions and numbers of sections are no addresses", () => {
  it.each([
    "pkg==1.2.3.4 and pkg>=1.2.3.4, ~1.2.3.4 or ^1.2.3.4",
    "Server: nginx/1.25.3.1",
    "lib-1.2.0.2.jar, app_2.0.1.7.apk, Foo-3.1.2.0.dll",
    "see section 4.1.2.1 (RFC 7540 8.1.2.4), § 2.1.3.4 and Chapter 3.2.1.1",
    "Fixes since 1.5.5.5, fixed in 1.6.0.1, prior to 2.0.0.1, upgraded to 3.0.0.4",
    "According to C++14 20.8.2.3",
    "firmware 4.1.0.12, release: 2.1.0.9, build 17.0.8.1",
    'a bug in 1.6.4.3, later than 2.0.0.1, "v8": "12.9.202.28"',
    '#define OID_KEY_USAGE "2.5.29.15", 2.5.4.41',
    '<path d="M1.52-.87 2.83-2.12 3.51.98.32 2.03.5 3.11.5a.75.75 0 110 1.5.75.75 0 110-1.5z"/>',
    '{"version":"1.2.3.4","ver":"10.0.0.1"}',
    "We moved to Foo 4.8.2.11, and 5.0.3.1 is next; see 3.14.2.8 (10.1.0.2.1) and [23.2.4.1]",
    "4.4.7.10.  User driver ..... 8\nnumpy    4.14.0.17    py310_0",
    "lib-10.6.7.5.jar, /opt/app-10.2.0.4.tar.gz",
    '<path d="M6.86c-74.84.07.1-481.03.443 3.92-11.38.29.7 1"/>',
    "call face::cafe(), ad::ab and std::cout",
    "conftest.py:34:58::34",
  ])("%s", (text) => {
    expect(found(text)).toEqual([]);
  });

  it("in the fields of an object", () => {
    const call = { name: "install", version: "1.2.3.4", appVersion: "10.0.0.1", firmware_version: "2.0.0.1" };
    expect(createRedactor({ ip: "redact" }).value(call)).toBe(call);
  });

  it.each([
    ["host/10.0.0.1, web/8.8.8.8:53, ip-10.0.0.1", ["10.0.0.1", "10.0.0.1"]],
    ["ssh root@8.8.8.8, ping 1.1.1.1, since 192.168.0.7 is down", ["8.8.8.8", "1.1.1.1", "192.168.0.7"]],
    ["0.003 10.0.0.1 200, 10.0.0.1 10.0.0.2 8.8.4.4", ["10.0.0.1", "10.0.0.1", "10.0.0.2", "8.8.4.4"]],
    ["from 4.3.2.19:80, at 4.3.2.19/24, root@4.3.2.19, server 4.3.2.19", Array(4).fill("4.3.2.19")],
    ["10.0.0.1-10.0.0.9, 8.8.8.8-20, 2.2.2.2 5.6.7.8", ["10.0.0.1", "10.0.0.9", "8.8.8.8", "2.2.2.2", "5.6.7.8"]],
    ["address==8.8.8.8 of version 7, 10.0.0.2", ["8.8.8.8", "10.0.0.2"]],
    ["host:2001:db8::2 and src:1::34ab", ["2001:db8::2", "1::34ab"]],
  ])("while addresses stay addresses: %s", (text, expected) => {
    expect(found(text)).toEqual(expected);
  });
});

/** Numbers with right check digits, in ranges of issuers. */
const ids = ["4539578763621486", "6011000990139424", "36148906647913", "4222222222222"];

describe("long ids are no cards", () => {
  it.each([
    (id: string) => `081109 203615 148 INFO dfs.DataNode$PacketResponder: Received block blk_${id} of size 67108864`,
    (id: string) => `BLOCK* NameSystem.allocateBlock: /usr/root/part-0 blk_-${id}`,
    (id: string) => `GET /v2/servers/${id}/detail HTTP/1.1`,
    (id: string) => `request_id=${id} status=200`,
    (id: string) => `{"requestId":"${id}","trace_id":${id},"message_id":"${id}"}`,
    (id: string) => `worker-${id} started, session ${id} closed, see #${id}`,
    (id: string) => `0.${id}, ${id}_1, f47ac10b-58cc-4372-a567-${id}`,
  ])("%p", (line) => {
    for (const id of ids) expect(found(line(id))).toEqual([]);
  });

  it("nor numbers of 12, 13 and 17 to 19 digits, unless a word says that they are, or they are a whole text", () => {
    for (const number of ["501800000009", "4222222222222", "175928847299117063", "6304000000000000000"]) {
      expect(found(`at ${number} then`)).toEqual([]);
    }
    expect(found("card 4222222222222")).toEqual(["4222222222222"]);
    expect(found("4222222222222")).toEqual(["4222222222222"]);
  });

  it("while cards stay cards, also where they are glued to a word that says so", () => {
    const text =
      "PAN4539578763621486, card-4539578763621486, cardNumber:4539578763621486; paid 4539578763621486 by visa";
    expect(found(text)).toHaveLength(4);
    expect(found("order 4539578763621486, request 4539 5787 6362 1486")).toHaveLength(2);
  });
});

describe("phone ignores plain numbers", () => {
  it.each([
    "W PhoneStatusBar: 17634222 visible, PhoneInterfaceManager(21255501), isPhoneValid=21255501",
    "mPhone=21255501, phone-based 21255501, d1Tel9x 21255501, 06ph 21255501",
    '{"phone":"+49 30 5749019","updated":"1113148852000","total":21255501}',
    "phone: +49 30 5749019\nupdated: 1113148852000\n",
    "59 Temple Place, Boston, MA 02111-1307 USA",
    "Portable Operating System Interface, IEEE Standard 1003.1-2001",
    "// C++14 20.8.2.2.8",
  ])("%s", (text) => {
    expect(found(text).filter((value) => !value.startsWith("+49"))).toEqual([]);
  });

  it("but finds the values that a label names", () => {
    expect(found("Phone (work): 21255501, or 21255502; mobile number is 21255503")).toHaveLength(3);
    expect(found("tel_no=21255501 phoneNumber: 21255502 phone_number_2: 21255503")).toHaveLength(3);
  });
});

it.each([
  ["Created symlink getty.target.wants/getty@tty1.service; started user@1000.service and dev-disk@sda.device", []],
  ["slash@3.0.0.js lodash@4.17.js git@example.com:team/app.git deploy@example.com:/srv", []],
  ["jane@163.com:22 mail jane@1und1.de git@example.com", ["jane@163.com", "jane@1und1.de", "git@example.com"]],
  ["@app.route('/x')\n  link this.me, visit self.io", []],
  ["link.optional = target.optional\n link.dev = target.dev", []],
  ['{"url": 1, "service.instance.id": "a", "link.me" : 2}', []],
  ['{"url": "my-shop.io", "example.com": 1}', ["my-shop.io", "example.com"]],
])("names in code are no addresses: %s", (text, expected) => {
  expect(found(text)).toEqual(expected);
});
