// The widget in a notebook of marimo: it goes by the page's colours, and answers are those of the
// session.

import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";

const python = process.env["PYTHON"] || "python3";
const notebook = `
import marimo

app = marimo.App()

@app.cell
def _():
    from sklearn.datasets import load_iris
    from pykindred import KMeans, ask
    X, y = load_iris(return_X_y=True, as_frame=True)
    session = ask(X)
    session
    return KMeans, X

@app.cell
def _(KMeans, X):
    KMeans(3).fit(X).plot()
    return
`;

let folder: string;
let address: string;
let server: ChildProcess;

/** Returns a port that nobody listens on. */
async function port(): Promise<number> {
  const taken = createServer();
  await new Promise<void>((there) => taken.listen(0, "127.0.0.1", there));
  const { port } = taken.address() as AddressInfo;
  await new Promise((closed) => taken.close(closed));
  return port;
}

test.beforeAll(async () => {
  test.skip(spawnSync(python, ["-c", "import marimo"]).status !== 0, "needs marimo");
  folder = await mkdtemp(join(tmpdir(), "kindred-marimo-"));
  await writeFile(join(folder, "test.py"), notebook);
  const at = await port();
  address = `http://127.0.0.1:${at}/`;
  const how = ["--headless", "--no-token", "--host", "127.0.0.1", "--port", `${at}`];
  server = spawn(python, ["-m", "marimo", "--quiet", "run", "test.py", ...how], {
    cwd: folder,
    env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: "ignore",
  });
  await expect(async () => {
    expect(server.exitCode, "marimo ended").toBe(null);
    expect((await fetch(address)).status).toBe(200);
  }).toPass({ timeout: 60_000 });
});

test.afterAll(async () => {
  if (!server) return;
  const ended = new Promise((end) => server.on("exit", end));
  server.kill("SIGTERM");
  await ended;
  await rm(folder, { recursive: true, force: true });
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`a person answers in a cell of marimo, ${colorScheme}`, async ({ browser }, info) => {
    const page = await browser.newPage({ colorScheme, viewport: { width: 1280, height: 1000 } });
    await page.goto(address);
    const widget = page.locator(".kindred-ask");
    await expect(widget.getByText("Do these two belong together?")).toBeVisible();
    const behind = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = /color\(srgb 0|rgba?\(\d{1,2},/.test(behind);
    if (dark) await expect(widget).toHaveClass(/dark/);
    else await expect(widget).not.toHaveClass(/dark/);
    await widget.getByRole("button", { name: "Different" }).click();
    await expect(widget.getByRole("status")).toContainText("1 answer.");
    await widget.focus();
    await page.keyboard.press("s");
    await expect(widget.getByRole("status")).toContainText("2 answers");
    await expect(page.locator("svg[role=img]").last()).toBeVisible();
    await page.screenshot({ path: info.outputPath(`marimo-${colorScheme}.png`) });
    await page.close();
  });
}
