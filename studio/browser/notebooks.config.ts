// Tests of the Python package's widget in JupyterLab and marimo. PYTHON names an interpreter that
// has both, anywidget, pandas and pykindred.
import { defineConfig } from "@playwright/test";
import tests from "./playwright.config.ts";

export default defineConfig({ ...tests, testDir: "notebooks", workers: 1 });
