import { fileURLToPath } from "node:url";
import { customers } from "../fixtures/data.ts";
import { expect, test } from "../fixtures/test.ts";

test("a file before a project is begun on it", async ({ serve, visit }) => {
  const studio = await serve({ "kunden.csv": customers() });
  const page = await visit(studio, { viewport: { width: 1280, height: 800 } });
  await page.getByRole("radio", { name: /^kunden\.csv/ }).check();
  await expect(page.getByText("24 rows × 5 features will be compared.")).toBeVisible();
  await page.locator(".seen").evaluate((e) => e.scrollIntoView({ block: "start" }));
  await page.screenshot({
    path: fileURLToPath(new URL("../../../docs/images/studio-begin.png", import.meta.url)),
  });
});
