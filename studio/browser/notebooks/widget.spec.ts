// The widget in a cell: questions about pictures are answered by keys and buttons, the answers are
// those of the session, and nothing is loaded from elsewhere.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { expect, test, type Page } from "@playwright/test";
import { Lab } from "./lab.ts";

const cells = [
  `
import struct, zlib
import pandas as pd
from sklearn.datasets import load_digits
from pykindred._ask import ask

def png(grey):
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
    raw = b"".join(b"\\0" + bytes(row) for row in grey)
    head = struct.pack(">IIBBBBB", grey.shape[1], grey.shape[0], 8, 0, 0, 0, 0)
    data = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b"")
    return b"\\x89PNG\\r\\n\\x1a\\n" + data

digits = load_digits()
pictures = [png((16 * image).clip(0, 255).astype("uint8")) for image in digits.images[:120]]
session = ask(pd.DataFrame({"picture": pictures}), images="picture", project="digits.kindred")
`,
  `print("answers", session.state["answers"], sorted(set(session.groups()["name"]) - {""}))`,
];

let lab: Lab;
test.beforeAll(async () => {
  lab = await Lab.start(cells);
});
test.afterAll(() => lab.stop());

/** What axe finds in the widget, in a line each. */
async function wrongs(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).include(".kindred-ask").analyze();
  return violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.map((n) => n.html).join(" ")}`);
}

/** Waits until nothing moves or fades any more. */
async function rested(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    const moving = () => document.getAnimations().filter((a) => a.playState === "running");
    for (let still = 0; still < 3; still++) {
      await frame();
      const ends = moving().filter((a) => a.effect?.getComputedTiming().endTime !== Infinity);
      if (ends.length > 0) still = 0;
      await Promise.allSettled(ends.map((a) => a.finished));
    }
  });
}

/** Runs a command of JupyterLab. */
async function run(page: Page, command: string, how: object = {}): Promise<void> {
  await page.evaluate(
    async ([name, args]) => {
      const app = (globalThis as unknown as { jupyterapp: Lab4 }).jupyterapp;
      await app.commands.execute(name as string, args as object);
    },
    [command, how] as const,
  );
}

interface Lab4 {
  commands: { execute(name: string, how: object): Promise<unknown> };
}

test("a person answers in a cell", async ({ page }, info) => {
  const left: string[] = [];
  page.on("request", (r) => {
    const { hostname, protocol } = new URL(r.url());
    if (protocol.startsWith("http") && hostname !== "127.0.0.1") left.push(r.url());
  });
  await page.setViewportSize({ width: 1280, height: 1000 });
  await page.goto(lab.notebook);
  await expect(page.locator(".jp-Notebook")).toBeVisible();
  await expect(page.locator(".jp-StatusBar-Widget").getByText("Idle")).toBeVisible();
  await run(page, "notebook:run-cell-and-select-next");
  const widget = page.locator(".kindred-ask");
  await expect(widget).toBeVisible();
  await expect(widget.getByText("Do these two belong together?")).toBeVisible();
  await expect(widget.locator(".object img")).toHaveCount(2);
  const drawn = await widget
    .locator(".object img")
    .first()
    .evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth));
  expect(drawn).toBeGreaterThan(0);
  await rested(page);
  await widget.screenshot({ path: info.outputPath("light.png") });
  expect(await wrongs(page)).toEqual([]);

  // Keys of the notebook such as d d, which deletes a cell, are not for the widget.
  await widget.focus();
  await page.keyboard.press("d");
  await expect(widget.getByRole("status")).toContainText("1 answer.");
  await page.keyboard.press("d");
  await expect(widget.getByRole("status")).toContainText("2 answers");
  await expect(page.locator(".jp-CodeCell")).toHaveCount(cells.length);
  await widget.getByRole("button", { name: "Same" }).click();
  await expect(widget.getByRole("status")).toContainText("3 answers");
  await expect(widget).toHaveAttribute("aria-busy", "false"); // the next question is there
  await page.keyboard.press("Space");
  await expect(widget.getByRole("status")).toContainText("4 answers");
  await page.keyboard.press("u");
  await expect(widget.getByRole("status")).toContainText("3 answers");
  await expect(widget.getByRole("button", { name: "Redo" })).toBeEnabled();

  const name = widget.getByLabel("name of group 1", { exact: true });
  await name.fill("mostly <b>sixes</b>");
  await name.press("Enter");
  await expect(widget.getByLabel("name of group 1", { exact: true })).toHaveValue(
    "mostly <b>sixes</b>",
  );
  await expect(widget.getByRole("button", { name: "Redo" })).toBeDisabled();
  await expect(widget).toHaveAttribute("aria-busy", "false");

  await run(page, "apputils:change-theme", { theme: "JupyterLab Dark" });
  await expect(widget).toHaveClass(/dark/);
  await rested(page);
  await widget.screenshot({ path: info.outputPath("dark.png") });
  expect(await wrongs(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 900 });
  await expect
    .poll(() => widget.evaluate((el) => el.clientWidth), { message: "the cell is narrow" })
    .toBeLessThan(390);
  await expect
    .poll(() => widget.evaluate((el) => el.scrollWidth - el.clientWidth), {
      message: "nothing is wider than the cell",
    })
    .toBeLessThanOrEqual(0);
  await rested(page);
  await widget.screenshot({ path: info.outputPath("narrow.png") });
  await page.setViewportSize({ width: 1280, height: 1000 });

  await run(page, "notebook:run-all-below");
  await expect(page.getByText("answers 3 ['mostly <b>sixes</b>']")).toBeVisible();
  expect(existsSync(join(lab.folder, "digits.kindred"))).toBe(true);
  expect(left, "nothing is loaded from elsewhere").toEqual([]);
});
