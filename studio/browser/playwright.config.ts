// CHROMIUM names the browser. Nothing is downloaded, and nothing but the server under test can be
// reached.
import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "tests",
  outputDir: "results/traces",
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  // A whole session in software graphics takes its time where the machine is shared; what fails
  // once for that is run again, and said.
  timeout: 400_000,
  expect: { timeout: 90_000 },
  retries: 2,
  reporter: [["list"]],
  use: {
    actionTimeout: 90_000,
    trace: "on-first-retry",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env["CHROMIUM"] || "/usr/bin/chromium",
      args: [
        "--no-sandbox", // Chromium refuses to run as root with it
        "--use-gl=angle",
        "--use-angle=swiftshader",
        "--enable-unsafe-swiftshader",
        "--disable-background-networking",
        "--disable-component-update",
        "--no-first-run",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
      ],
    },
  },
});
