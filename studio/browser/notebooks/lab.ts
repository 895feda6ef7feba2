// A JupyterLab on a folder of its own.

import { spawn, type ChildProcess } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const token = "a-token-of-the-test";

export class Lab {
  private constructor(
    readonly folder: string,
    private readonly address: string,
    private readonly process: ChildProcess,
  ) {}

  /** Starts JupyterLab with a notebook of these cells. */
  static async start(cells: readonly string[]): Promise<Lab> {
    const folder = await mkdtemp(join(tmpdir(), "kindred-lab-"));
    await writeFile(join(folder, "test.ipynb"), JSON.stringify(notebook(cells)));
    const quiet = join(folder, "settings/@jupyterlab/apputils-extension");
    await mkdir(quiet, { recursive: true });
    await writeFile(join(quiet, "notification.jupyterlab-settings"), '{"fetchNews": "false"}');
    const child = spawn(
      process.env["PYTHON"] || "python3",
      [
        ...["-m", "jupyterlab", "--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1"],
        ...["--ServerApp.port=0", `--ServerApp.root_dir=${folder}`],
        ...[`--IdentityProvider.token=${token}`, "--LabApp.expose_app_in_browser=True"],
      ],
      {
        cwd: folder,
        env: {
          ...process.env,
          ...{ JUPYTER_CONFIG_DIR: folder, IPYTHONDIR: folder, HOME: folder },
          JUPYTERLAB_SETTINGS_DIR: join(folder, "settings"),
        },
        stdio: ["ignore", "ignore", "pipe"],
      },
    );
    const address = await new Promise<string>((found, failed) => {
      let said = "";
      child.stderr!.on("data", (text: Buffer) => {
        said += text.toString();
        const at = /http:\/\/127\.0\.0\.1:\d+\//.exec(said);
        if (at && /is running at/.test(said)) found(at[0]);
      });
      child.on("exit", () => failed(new Error(`JupyterLab ended: ${said}`)));
    });
    return new Lab(folder, address, child);
  }

  /** The address of the notebook. */
  get notebook(): string {
    return `${this.address}doc/tree/test.ipynb?token=${token}`;
  }

  async stop(): Promise<void> {
    const ended = new Promise((end) => this.process.on("exit", end));
    this.process.kill("SIGTERM");
    await ended;
    await rm(this.folder, { recursive: true, force: true });
  }
}

function notebook(cells: readonly string[]): object {
  return {
    cells: cells.map((source, at) => ({
      cell_type: "code",
      execution_count: null,
      id: `cell-${at}`,
      metadata: {},
      outputs: [],
      source,
    })),
    metadata: {
      kernelspec: { display_name: "Python 3 (ipykernel)", language: "python", name: "python3" },
      language_info: { name: "python" },
    },
    nbformat: 4,
    nbformat_minor: 5,
  };
}
