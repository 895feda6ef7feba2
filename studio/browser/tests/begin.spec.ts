import { expect, test } from "../fixtures/test.ts";

test("the link opens a page, and the token leaves the address", async ({ serve, visit }) => {
  const studio = await serve();
  await studio.begin("digits", { label: "class" });
  const page = await visit(studio, { project: "digits" });
  expect(page.url()).not.toContain("token");
  await expect(page).toHaveTitle(/kindred/);
});
