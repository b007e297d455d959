// Networks of companies: the proxy and the certificates that the environment names, for every request of this process. Node's fetch reads
// neither by itself before Node 22.21, and never SSL_CERT_FILE.
import { readFileSync } from "node:fs";

type Environment = Record<string, string | undefined>;

/** What the environment says about the network. */
export interface NetworkSettings {
  httpProxy?: string;
  httpsProxy?: string;
  /** Hosts that are asked directly; this machine is always one. */
  noProxy: string;
  /** Files of certificates that are trusted beside those that Node brings along. */
  certificateFiles: string[];
}

const PROXY_NAMES = { httpProxy: ["http_proxy", "HTTP_PROXY"], httpsProxy: ["https_proxy", "HTTPS_PROXY"] } as const;
const THIS_MACHINE = ["localhost", "127.0.0.1", "::1"];

/** Reads the variables that curl reads. Throws an Error that names the variable if a proxy is of a kind that cannot be used. */
export function readNetworkSettings(env: Environment): NetworkSettings {
  const first = (names: readonly string[]) => names.find((name) => env[name]?.trim());
  const settings: NetworkSettings = {
    noProxy: [env["no_proxy"] ?? env["NO_PROXY"] ?? "", ...THIS_MACHINE].filter(Boolean).join(","),
    // Node adds the second by itself, but not to a list that is given.
    certificateFiles: [...new Set(["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"].flatMap((name) => env[name]?.trim() || []))],
  };
  const fallback = ["all_proxy", "ALL_PROXY"].find((name) => /^https?:/i.test(env[name]?.trim() ?? ""));
  for (const key of ["httpProxy", "httpsProxy"] as const) {
    const name = first(PROXY_NAMES[key]) ?? fallback;
    if (name !== undefined) settings[key] = proxyAddress(name, env[name]?.trim() ?? "");
  }
  return settings;
}

/** `host:port` is a proxy too. What is wrong with one is said without it, since it may hold a password. */
function proxyAddress(name: string, value: string): string {
  const address = value.includes("://") ? value : `http://${value}`;
  if (!URL.canParse(address))
    throw new Error(`${name} is no address of a proxy, such as http://proxy.example.com:3128.`);
  const { protocol } = new URL(address);
  if (protocol === "http:" || protocol === "https:") return address;
  throw new Error(
    `${name} names a proxy of the kind ${protocol}//, which cannot be used. Name one that speaks HTTP, or unset it.`,
  );
}

/** A sentence about what was found, without passwords; undefined if there is nothing. */
export function describeNetwork({ httpProxy, httpsProxy, certificateFiles }: NetworkSettings): string | undefined {
  const proxies = [...new Set([httpsProxy, httpProxy].filter((proxy) => proxy !== undefined))];
  const shown = proxies.map((proxy) => new URL(proxy).host).join(" and ");
  const parts = [
    ...(shown ? [`by the proxy ${shown}`] : []),
    ...(certificateFiles.length > 0 ? [`with certificates of ${certificateFiles.join(" and ")}`] : []),
  ];
  return parts.length > 0 ? `Requests go out ${parts.join(", ")}` : undefined;
}

/**
 * Makes every request of this process go by the settings of the environment. Loads nothing where there are none. Throws an Error that
 * says what to mend.
 */
export async function useNetworkSettings(env: Environment): Promise<void> {
  const settings = readNetworkSettings(env);
  const ownCertificates = settings.certificateFiles.filter((file) => file !== env["NODE_EXTRA_CA_CERTS"]?.trim());
  if (!settings.httpProxy && !settings.httpsProxy && ownCertificates.length === 0) return;
  const { rootCertificates } = await import("node:tls");
  const ca = [...rootCertificates, ...settings.certificateFiles.map(readCertificates)];
  const tls = settings.certificateFiles.length > 0 ? { connect: { ca }, requestTls: { ca }, proxyTls: { ca } } : {};
  const { EnvHttpProxyAgent, setGlobalDispatcher } = await import("undici");
  const { httpProxy = "", httpsProxy = "", noProxy } = settings;
  setGlobalDispatcher(new EnvHttpProxyAgent({ httpProxy, httpsProxy, noProxy, ...tls }));
}

function readCertificates(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(
      `The certificates in ${file} cannot be read (${(error as NodeJS.ErrnoException).code}). Correct SSL_CERT_FILE or NODE_EXTRA_CA_CERTS.`,
    );
  }
}
