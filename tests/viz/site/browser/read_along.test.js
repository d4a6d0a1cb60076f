import assert from "node:assert/strict";
import { test } from "node:test";

import { settled, siteAt } from "./page.js";

import { ReadAlongPage } from "../../../../viz/site/browser/read_along.js";

const ANSWER = { right: 1800, options: [], within: 0, mistakes: [1.5, 7] };
const VERDICTS = { right: "right", wrong: "wrong", "wrong once": "no", "mistake 0": "half", "mistake 1": "seven" };

// Two chapters, of two stops and three, the last one with a question.
const PATH = {
  chapters: { heads: "Heads", "by-hand": "By hand" },
  stops: ["heads", "heads", "by-hand", "by-hand", "by-hand"].map((chapter, place) => ({
    ...{ chapter, title: `stop ${place + 1}`, controls: [], takes_text: false, charts: [], table: "" },
    ...{ html: place === 4 ? VERDICTS : {}, answer: place === 4 ? ANSWER : null },
  })),
};

async function opened(name, query) {
  const site = siteAt(query, { contentOf: async () => PATH, isOneFile: false });
  const page = new ReadAlongPage(site, name);
  site.show = () => page.follow();
  await settled();
  const links = () => page.chapters.querySelectorAll("a").map((link) => link.getAttribute("href"));
  return { page, site, links };
}

test("a step of a lab has the link that it has in the app", async () => {
  const { page, site, links } = await opened("labs", "lab=by-hand&lab-step=2&labs-done=5");
  assert.equal(page.title.textContent, "stop 4");
  assert.deepEqual(links().slice(1, 3), [
    "labs?lab=heads&lab-step=2&labs-done=5",
    "labs?lab=by-hand&lab-step=1&labs-done=5",
  ]);
  page.next.listeners.click();
  assert.equal(page.title.textContent, "stop 5");
  assert.equal(site.link.toString(), "lab=by-hand&lab-step=3&labs-done=5");
  assert.deepEqual(site.refused, []);
});

test("a lab or a step alone is where the app opens them, and one that is not there is refused", async () => {
  const titles = { "lab=by-hand": 3, "lab-step=2": 2, "": 1, "lab=elbow&lab-step=2": 2, "lab=heads&lab-step=3": 1 };
  for (const [query, number] of Object.entries(titles)) {
    const { page, site } = await opened("labs", query);
    assert.equal(page.title.textContent, `stop ${number}`, query);
    assert.equal(site.refused.length > 0, ["lab=elbow&lab-step=2", "lab=heads&lab-step=3"].includes(query));
  }
});

test("a link that counts the steps of all labs still opens its step, until another is chosen", async () => {
  const { page, site } = await opened("labs", "step=3");
  assert.equal(page.title.textContent, "stop 3");
  page.back.listeners.click();
  assert.equal(page.title.textContent, "stop 2");
  assert.equal(site.link.toString(), "lab=heads&lab-step=2");
});

test("a stop of the papers has one number", async () => {
  const { page, links } = await opened("read-along", "stop=4");
  assert.equal(page.title.textContent, "stop 4");
  assert.equal(links()[2], "read-along?stop=3");
});

test("a chapter's link that is followed gives the focus to the title of its stop", async () => {
  document.activeElement = document.body;
  const { page, site } = await opened("read-along", "");
  assert.equal(document.activeElement, document.body);
  page.chapters.querySelectorAll("a")[2].focus();
  site.write({ stop: "3" });
  page.follow();
  assert.equal(document.activeElement, page.title);
  page.next.focus();
  page.follow();
  assert.equal(document.activeElement, page.next);
});

async function asked(query = "lab=by-hand&lab-step=3", kept = new Map()) {
  const storage = { getItem: (name) => kept.get(name) ?? null, setItem: (name, text) => kept.set(name, text) };
  Object.defineProperty(globalThis, "localStorage", { value: storage, configurable: true });
  const { page, site } = await opened("labs", query);
  await settled();
  const [form] = page.question.querySelectorAll("form");
  const [box] = form.querySelectorAll("input");
  const [, , , grade] = page.question.children;
  const answer = (text) => {
    box.value = text;
    form.listeners.submit({ preventDefault() {} });
    return grade.textContent;
  };
  return { page, site, answer };
}

test("a comma stands before decimals or before three digits, as the number of a page has it", async () => {
  for (const text of ["1,800", "1800", "1800,0", " 1800.0 "]) {
    assert.equal((await asked()).answer(text), "right", text);
  }
  assert.equal((await asked()).answer("0,007"), "no");
  for (const text of ["", "\u2212", "1,8,0", "1.8.0", "1 800 x"]) {
    assert.equal((await asked()).answer(text), "nothing given", text);
  }
});

test("of a first wrong answer that was to be expected it is told what led to it", async () => {
  for (const [text, verdict] of Object.entries({ "1,5": "half", 7: "seven", 8: "no", "\u22127": "no" })) {
    assert.equal((await asked()).answer(text), verdict);
  }
  const { answer } = await asked();
  assert.deepEqual(["7", "7", "1800"].map(answer), ["seven", "wrong", "right"]);
});

test("steps and questions of a lab are counted in it", async () => {
  const { page } = await asked();
  const steps = page.chapters.querySelectorAll("a").map((link) => link.textContent);
  const [heading] = page.question.querySelectorAll("h3");
  assert.deepEqual(steps, ["1. stop 1", "2. stop 2", "1. stop 3", "2. stop 4", "3. stop 5"]);
  assert.equal(heading.textContent, "Question 1");
});

test("this browser keeps what was answered right in it, and not what a link has", async () => {
  const kept = new Map([["read-along-labs-done", "4.x.5"]]);
  assert.deepEqual((await asked(undefined, kept)).page.done, ["5"]);
  kept.clear();
  const { page, answer } = await asked("lab=by-hand&lab-step=3&labs-done=5", kept);
  assert.deepEqual([page.done, kept.size], [["5"], 0]);
  assert.equal(answer("1800"), "right");
  assert.deepEqual([...kept.values()], ["5"]);
});

test("where a browser keeps nothing, the open page keeps it", async () => {
  (await asked(undefined, null)).answer("1800");
  assert.deepEqual((await asked(undefined, null)).page.done, ["5"]);
});
