import assert from "node:assert/strict";
import { test } from "node:test";
import { reachable } from "./links";

test("a link has the name that the page is reached by, unless only this machine knows it", () => {
  const link = "http://192.168.1.20:5463/?code=ABC";
  const at = (address: string) => reachable(link, new URL(address));
  for (const alone of ["http://localhost:5463", "http://127.0.0.1:5463", "http://[::1]:5463"])
    assert.equal(at(alone), link);
  assert.equal(at("https://kindred.example.org/"), "https://kindred.example.org/?code=ABC");
  assert.equal(at("http://lab-pc:81"), "http://lab-pc:81/?code=ABC");
});
