// A private PostgreSQL for tests: on loopback, in a temporary folder, as an ordinary user, since its programs refuse root.
// It survives nothing on purpose (no fsync): what is tested is the death of processes, not of machines.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";

/** Where Debian and its kin keep one folder per version. */
const DEBIAN = "/usr/lib/postgresql";
/** The user `nobody`, for tests that run as root. */
const NOBODY = 65_534;

/** The folder of PostgreSQL's programs, the newest version of them, if they are installed. */
export function findPostgres(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((left, right) => Number(right) - Number(left)) : [];
  const onPath = (process.env["PATH"] ?? "").split(":");
  const folders = [...versions.map((version) => join(DEBIAN, version, "bin")), ...onPath];
  return folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));
}

export class PostgresCluster {
  readonly port: number;
  readonly #programs: string;
  readonly #folder: string;
  #server: ChildProcess | undefined;

  private constructor(programs: string, folder: string, port: number) {
    this.#programs = programs;
    this.#folder = folder;
    this.port = port;
  }

  static async create(programs: string): Promise<PostgresCluster> {
    const folder = mkdtempSync(join(tmpdir(), "rondo-postgres-"));
    const user = ordinaryUser();
    if (user) chownSync(folder, user.uid, user.gid);
    const args = [
      "-D",
      join(folder, "data"),
      "-U",
      "rondo",
      "--auth=trust",
      "--no-sync",
      "--encoding=UTF8",
      "--locale=C",
    ];
    execFileSync(join(programs, "initdb"), args, { ...user, cwd: folder, stdio: "pipe" });
    const cluster = new PostgresCluster(programs, folder, await freePort());
    process.once("exit", () => cluster.#server?.kill("SIGQUIT"));
    await cluster.start();
    return cluster;
  }

  /** A connection string of a database in this cluster. */
  url(database: string): string {
    return `postgresql://rondo@127.0.0.1:${this.port}/${database}`;
  }

  async start(): Promise<void> {
    const settings = {
      listen_addresses: "127.0.0.1",
      port: String(this.port),
      unix_socket_directories: "",
      fsync: "off",
      max_connections: "200",
      shared_buffers: "64MB",
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const all = ["-D", join(this.#folder, "data"), ...args];
    this.#server = spawn(join(this.#programs, "postgres"), all, {
      ...ordinaryUser(),
      cwd: this.#folder,
      stdio: "ignore",
    });
    await waitUntilReachable(this.url("postgres"));
  }

  /** Kills the server as a crash would: every connection breaks. */
  async crash(): Promise<void> {
    await this.#stop("SIGQUIT");
  }

  async dispose(): Promise<void> {
    await this.#stop("SIGQUIT");
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #stop(signal: NodeJS.Signals): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server || server.exitCode !== null) return;
    server.kill(signal);
    await once(server, "exit");
  }
}

function ordinaryUser(): { uid: number; gid: number } | undefined {
  return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : undefined;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address ? address.port : 0;
}

async function waitUntilReachable(url: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (tries > 300) throw error;
      await delay(50);
    }
  }
}
