// Tests of the Python package's widget in JupyterLab. PYTHON names an interpreter that has
// JupyterLab, anywidget, pandas and pykindred.
import { defineConfig } from "@playwright/test";
import tests from "./playwright.config.ts";

export default defineConfig({ ...tests, testDir: "notebooks", workers: 1, timeout: 120_000 });
