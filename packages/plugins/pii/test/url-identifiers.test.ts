import { describe, expect, it } from "@jest/globals";
import { createRedactor } from "@suite/pii";

const found = (text: string, threshold = 0.5): string[] =>
  createRedactor({ url: { strategy: "redact", threshold } })
    .detect(text)
    .map(({ start, end }) => text.slice(start, end));

describe("url leaves identifiers alone", () => {
  it.each([
    ["the group of an API", "apiVersion: cert-manager.io/v1"],
    ["groups in a list", 'apiGroups: ["apps.example.com", "batch.example.org"]'],
    ["a driver", "provisioner: ebs.csi.aws.com"],
    ["an image with a tag", "image: ghcr.io/org/img:v1.2"],
    ["an image with a digest", `run ghcr.io/org/img@sha256:${"0a".repeat(32)}`],
    ["an image in a Dockerfile", "FROM quay.io/coreos/etcd AS base"],
    ["an image in a command", "docker pull -q ghcr.io/org/img"],
    ["a module in go.mod", "require github.com/gin-gonic/gin v1.9.1"],
    ["modules in a block", "require (\n\tgithub.com/gin-gonic/gin v1.9.1\n\tgolang.org/x/text v0.14.0 // indirect\n)"],
    ["a long module", "go.opentelemetry.io/contrib/instrumentation/google.golang.org/grpc/otelgrpc v0.46.1"],
    ["a module in an import", 'import "github.com/foo/bar"'],
    ["a module in a command", "go get github.com/a/b"],
    ["a service of a cloud", '"Service":"ec2.amazonaws.com"'],
    ["a service in a log", "userAgent=cloudformation.amazonaws.com"],
    ["a type of protocol buffers", '{"@type":"type.googleapis.com/google.protobuf.Any"}'],
    ["an annotation", "  nginx.ingress.kubernetes.io/rewrite-target: /"],
    ["a resource", "kubectl get certificates.apps.example.com"],
    ["a machine", "connected to db-7.rack2.eu.corp.example.com in 3 ms"],
  ])("%s", (_, text) => {
    expect(found(text)).toEqual([]);
    expect(createRedactor({ url: "redact" }).redact(text)).toBe(text);
    expect(found(text, 0.3)).not.toEqual([]);
  });

  it("in the arguments of a tool", () => {
    const call = { image: "ghcr.io/org/img:v1", group: "apps.example.com", "@type": "type.googleapis.com/a.b.C" };
    expect(createRedactor({ url: "redact" }).value(call)).toEqual(call);
  });

  it.each([
    ["Go to example.com/page", "example.com/page"],
    ["see example.com", "example.com"],
    ["Read github.com/a/b very soon", "github.com/a/b"],
    ["site: example.com", "example.com"],
    ['"website": "example.com/a"', "example.com/a"],
    ["homepage = example.com", "example.com"],
    ["image: https://example.com/a.png", "https://example.com/a.png"],
    ['"https://example.com"', "https://example.com"],
    ["host: www.example.com", "www.example.com"],
    ['src="//cdn.example.com/x.js"', "//cdn.example.com/x.js"],
    ['"example.com/a?b=1"', "example.com/a?b=1"],
    ['"почта.пример.рф/путь"', "почта.пример.рф/путь"],
    ["the page, in short: example.com.", "example.com"],
  ])("and finds addresses: %s", (text, expected) => {
    expect(found(text)).toEqual([expected]);
  });

  it("also in a stream", () => {
    const text = "require golang.org/x/text v0.14.0\nsee example.com/v1 v2, github.com/a/b very soon, go.dev/x v";
    const redactor = createRedactor({ url: "redact" });
    for (let cut = 0; cut <= text.length; cut++) {
      const stream = redactor.stream();
      expect(stream.push(text.slice(0, cut)) + stream.push(text.slice(cut)) + stream.end()).toBe(redactor.redact(text));
    }
  });
});
