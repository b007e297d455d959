import assert from "node:assert/strict";
import { test } from "node:test";
import { rondoForm } from "../src/form.js";

test("a theme without episodes stands alone", () => {
  assert.deepEqual(rondoForm("A", []), ["A"]);
});

test("the theme returns after each episode", () => {
  assert.deepEqual(rondoForm("A", ["B", "C"]), ["A", "B", "A", "C", "A"]);
});
