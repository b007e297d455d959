// The built command behind a proxy: a model that only the proxy reaches, with a certificate that only SSL_CERT_FILE knows.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { loadFixture } from "@rondo/test-fixtures";
import { expect, onTestFinished, test } from "vitest";
import { readNetworkSettings } from "../../src/network/network-settings.ts";
import { rondo } from "../command.ts";
import { serve, through } from "../served-model.ts";
import { temporaryFolder } from "../temporary-workspace.ts";

const ANSWER = loadFixture("anthropic-messages", "text");

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A proxy that leads every tunnel to one port, and what it was asked. */
async function startProxy(targetPort: number): Promise<{ address: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer();
  server.on("connect", (request, socket) => {
    const credentials = Buffer.from(String(request.headers["proxy-authorization"]).replace("Basic ", ""), "base64");
    asked.push(`${request.url} ${credentials}`);
    const target = connect(targetPort, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      target.pipe(socket).pipe(target);
    });
    target.on("error", () => socket.destroy());
    socket.on("error", () => target.destroy());
  });
  const port = await listen(server);
  return { address: `http://somebody:pass-word-1@127.0.0.1:${port}`, asked };
}

/** A server of `model.corp` with a certificate of its own making. */
async function startTlsModel(): Promise<{ port: number; certificate: string }> {
  const folder = temporaryFolder();
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const subject = ["-subj", "/CN=model.corp", "-addext", "subjectAltName=DNS:model.corp"];
  const made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", key, "-out", certificate];
  execFileSync("openssl", [...made, ...subject], { stdio: "ignore" });
  const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" }).end(ANSWER);
  });
  return { port: await listen(server), certificate };
}

test("a model that only the proxy reaches is asked through it, and its certificate checked by SSL_CERT_FILE", async () => {
  const { port, certificate } = await startTlsModel();
  const proxy = await startProxy(port);
  const args = ["-p", "hello", ...through("https://model.corp")];
  const env = { HTTPS_PROXY: proxy.address, SSL_CERT_FILE: certificate };
  const end = await rondo(args, { env });
  expect(end).toMatchObject({ code: 0 });
  expect(end.stdout).not.toBe("");
  expect(proxy.asked).toEqual(["model.corp:443 somebody:pass-word-1"]);

  const distrusted = await rondo(args, { env: { HTTPS_PROXY: proxy.address } });
  expect(distrusted.code).not.toBe(0);
  expect(distrusted.stderr).toContain("certificate");
  expect(distrusted.stderr).not.toContain("pass-word-1");
});

test("this machine is asked directly, and what NO_PROXY names", async () => {
  const model = await serve(() => ({ body: ANSWER }));
  const proxy = await startProxy(1);
  expect(await rondo(["-p", "hello", ...through(model.url)], { env: { HTTP_PROXY: proxy.address } })).toMatchObject({
    code: 0,
  });
  const env = { HTTPS_PROXY: proxy.address, NO_PROXY: ".invalid" };
  expect((await rondo(["-p", "hello", ...through("https://model.invalid")], { env })).code).not.toBe(0);
  expect(proxy.asked).toEqual([]);
});

test.each([
  [
    { HTTPS_PROXY: "socks5://me:secret-1@127.0.0.1:9" },
    "HTTPS_PROXY names a proxy of the kind socks5://, which cannot be used.",
  ],
  [{ https_proxy: "http://me:secret-1@:::" }, "https_proxy is no address of a proxy"],
  [{ SSL_CERT_FILE: "/nowhere/certificates.pem" }, "/nowhere/certificates.pem cannot be read (ENOENT)"],
])("%j is told", async (env, said) => {
  const end = await rondo(["-p", "hello", "--model", "demo"], { env });
  expect(end).toMatchObject({ code: 2, stdout: "" });
  expect(end.stderr).toContain(said);
  expect(end.stderr).not.toContain("secret-1");
});

test("a file of certificates that both variables name is read once", () => {
  const env = { SSL_CERT_FILE: "/etc/ssl/ca.crt", NODE_EXTRA_CA_CERTS: "/etc/ssl/ca.crt" };
  expect(readNetworkSettings(env).certificateFiles).toEqual(["/etc/ssl/ca.crt"]);
});

test("doctor tells the proxy without its password, and what is wrong", async () => {
  const proxied = await rondo(["doctor"], { env: { ALL_PROXY: "http://me:secret-1@proxy.corp:3128" } });
  expect(proxied.stdout).toContain("✔ Requests go out by the proxy proxy.corp:3128\n");
  expect(proxied.stdout).not.toContain("secret-1");
  const broken = await rondo(["doctor"], { env: { HTTPS_PROXY: "socks5://127.0.0.1:9" } });
  expect(broken.stdout).toContain("✖ HTTPS_PROXY names a proxy of the kind socks5://");
});
