import assert from "node:assert/strict";
import { test } from "node:test";

import { createReporting } from "../../../../viz/components/attention_explorer/reporting.js";

test("numbers that another recording takes the place of do not come", async () => {
  let isThere = false;
  const reporting = createReporting({ view: () => ({}), digest: () => "one", isThere: () => isThere });
  reporting.to(() => {});
  const numbers = reporting.numbers();
  reporting.drop();
  await assert.rejects(numbers);
  const others = reporting.numbers();
  isThere = true;
  reporting.arrived();
  assert.equal(await others, undefined);
  reporting.drop();
});
