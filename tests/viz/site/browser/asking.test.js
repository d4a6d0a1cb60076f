import assert from "node:assert/strict";
import { test } from "node:test";

import { siteAt, translatorsOf } from "./page.js";

import { Asking } from "../../../../viz/site/browser/asking.js";
import { SourceTextError } from "../../../../viz/site/engine/translator.js";

// A field on a site at the link ``query``, and the texts that were shown for it.
function asked(query, loading = {}) {
  const site = siteAt(query, { translators: translatorsOf({}, loading) });
  const asking = new Asking(site, { name: "text", most: 40, opening: (one) => one.sentence, changed: () => {} });
  const shown = [];
  const run = (about = {}) =>
    asking.run(async (text, isLast) => {
      await site.translators.of(asking.translator.name);
      if (text.startsWith("bad")) throw new SourceTextError("text too long", 300);
      if (about.error) throw about.error;
      if (!isLast()) return;
      shown.push(text);
      asking.note = about.note ?? "";
    });
  return { asking, run, shown };
}

test("a call that was overtaken leaves the waiting of the one that runs, and shows nothing", async () => {
  const first = Promise.withResolvers();
  const second = Promise.withResolvers();
  const { asking, run, shown } = asked("text=good", { one: first.promise, two: second.promise });
  const overtaken = run();
  asking.box.value = "bad";
  asking.list.value = "two";
  const last = run();
  first.resolve();
  await overtaken;
  assert.deepEqual([asking.waiting.hidden, asking.hasShown], [false, false]);
  second.resolve();
  await last;
  assert.equal(asking.waiting.hidden, true);
  assert.deepEqual(shown, ["Ein Beispiel."]);
  assert.equal(asking.message.textContent, "text too long example shown");
});

test("what cannot be loaded shows nothing, and the next text without a translation has an example", async () => {
  const { asking, run, shown } = asked("text=good");
  await run({ error: new Error("no network") });
  assert.equal(asking.message.textContent.trim(), "no network");
  asking.box.value = "bad";
  await run();
  assert.deepEqual(shown, ["An example."]);
  asking.box.value = "good";
  await run();
  asking.box.value = "bad";
  await run();
  assert.deepEqual(shown, ["An example.", "good"]);
  assert.equal(asking.message.textContent, "text too long last shown");
});

test("an example that cannot be shown either ends the waiting with the reason", async () => {
  const { asking, run } = asked("text=bad", { one: Promise.resolve() });
  asking.opening = () => "bad as well";
  await run();
  assert.deepEqual([asking.waiting.hidden, asking.message.hidden], [true, false]);
  assert.equal(asking.message.textContent.trim(), "text too long");
});

test("what is shown with a note says it after what is wrong with the text", async () => {
  const { asking, run } = asked(`text=${"long ".repeat(10)}`);
  await run({ note: "Without the second." });
  assert.match(asking.message.textContent, /cut.*Without the second\./);
});

test("spaces around a text count for nothing", () => {
  const { asking } = asked("text=good");
  asking.box.value = `${"a".repeat(40)}    \n`;
  assert.equal(asking.text.length, 40);
  assert.equal(asking.read(asking.box.value).cut, "");
  asking.box.value = "a".repeat(41);
  assert.notEqual(asking.read(asking.box.value).cut, "");
});

test("letters that the translator lacks are counted in the text as the page reads it", async () => {
  const translator = {
    simplify: (text) => text.replaceAll("\uff21", "A"),
    read: (text) => ({ pieces: [...[...text].map((letter) => (letter === "A" ? "A" : "<0xEF>")), "</s>"] }),
  };
  const noteOf = async (options) => {
    const site = siteAt("text=\uff21\uff21", { translators: translatorsOf({ translator }) });
    const asking = new Asking(site, { name: "text", most: 40, opening: () => "", changed: () => {}, ...options });
    const showing = asking.run(async () => {
      // What is typed while a text is shown is another one.
      asking.box.value = "AAAA";
    });
    await showing;
    return asking.message.textContent;
  };
  assert.deepEqual([await noteOf({}), await noteOf({ isSimplified: false })], ["", "foreign"]);
});
