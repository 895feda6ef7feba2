import assert from "node:assert/strict";
import { test } from "node:test";
import { signal } from "@preact/signals";
import type { Store } from "../store";
import type { Cluster } from "../types";
import { followProject, groups } from "./data";

test("what is known of one project is gone before another is shown", () => {
  const project = signal("one");
  const stop = followProject({ project } as unknown as Store);
  groups.value = [{ cluster: 1 } as Cluster];
  project.value = "two"; // tiles of the first would ask for pictures of the second
  assert.equal(groups.value, null);
  stop();
});
