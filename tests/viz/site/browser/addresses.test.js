import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { CurrentAddress } from "../../../../viz/site/browser/current_address.js";
import { PageAddresses } from "../../../../viz/site/browser/page_addresses.js";

const PAGES = ["", "translate"];

const addressesOf = (base, isOneFile) => new PageAddresses({ base: new URL(base), isOneFile, pages: PAGES });

test("in a folder, a page is at its path", () => {
  const addresses = addressesOf("https://host/a/", false);
  assert.equal(addresses.of("", new URLSearchParams()), "https://host/a/");
  assert.equal(addresses.of("translate", new URLSearchParams("text=one")), "https://host/a/translate/?text=one");
  const names = {
    "https://host/a/": "",
    "https://host/a": "",
    "https://host/a/index.html?sentence=one": "",
    "https://host/a/translate#top": "translate",
    "https://host/a/translate/index.html": "translate",
    "https://host/a/hooks/": undefined,
    "https://host/b/translate/": undefined,
    "https://other/a/translate/": undefined,
    "blob:https://host/a/translate/": undefined,
  };
  for (const [url, name] of Object.entries(names)) assert.equal(addresses.nameAt(new URL(url)), name, url);
});

for (const file of ["file:///home/view.html", "https://course/files/view.html", "content://downloads/7"])
  test(`in one file, a page is in the link: ${file}`, () => {
    const addresses = addressesOf(`${file}?page=translate&text=one#top`, true);
    assert.equal(addresses.of("translate", new URLSearchParams("text=one")), "?text=one&page=translate");
    const names = {
      "": "",
      "?text=one": "",
      "?page=translate&text=two#top": "translate",
      "?page=hooks": undefined,
      "?page=constructor": undefined,
    };
    for (const [query, name] of Object.entries(names))
      assert.equal(addresses.nameAt(new URL(file + query)), name, query);
    assert.equal(addresses.nameAt(new URL("https://elsewhere/view.html")), undefined);
    assert.equal(addresses.nameAt(new URL("file:///home/other.html?page=translate")), undefined);
  });

// What a browser does that takes ``most`` changes: afterwards it throws, or is silent.
let most = 0;
let throws = false;

function change(_state, _title, address) {
  if (most > 0) {
    most -= 1;
    globalThis.location = { href: address };
  } else if (throws) throw new DOMException("too many", "SecurityError");
}

beforeEach(() => {
  Object.assign(globalThis, {
    location: { href: "https://host/a/" },
    history: { state: null, replaceState: change, pushState: change },
  });
  mock.timers.enable({ apis: ["setTimeout"] });
});
afterEach(() => mock.timers.reset());

for (const how of [false, true])
  test(`what the browser does not take is read all the same, and written later: ${how ? "it throws" : "silent"}`, () => {
    [most, throws] = [1, how];
    const current = new CurrentAddress();
    for (const value of ["1", "2", "3"]) current.replace(`https://host/a/?x=${value}`);
    assert.equal(current.url.search, "?x=3");
    assert.equal(location.href, "https://host/a/?x=1");
    mock.timers.tick(10_000);
    most = 1;
    mock.timers.tick(10_000);
    assert.equal(location.href, "https://host/a/?x=3");
    assert.equal(current.unwritten, null);
  });

test("a page that is put into the history later has an entry of its own", () => {
  [most, throws] = [0, true];
  const current = new CurrentAddress();
  current.push("https://host/a/glossary/");
  current.replace("https://host/a/glossary/?part=encodings");
  const pushed = [];
  history.pushState = (state, title, address) => {
    pushed.push(address);
    most = 1;
    change(state, title, address);
  };
  history.replaceState = () => assert.fail("the entry of the page before is written over");
  mock.timers.tick(10_000);
  assert.deepEqual(pushed, ["https://host/a/glossary/?part=encodings"]);
  assert.equal(current.unwritten, null);
});

test("a page that cannot be put into the history is shown, until the browser goes elsewhere", () => {
  [most, throws] = [0, true];
  const current = new CurrentAddress();
  current.push("?page=translate");
  assert.equal(current.url.href, "https://host/a/?page=translate");
  current.replace("https://host/a/?page=translate&text=one");
  current.forget();
  assert.equal(current.url.href, "https://host/a/");
  most = 1;
  mock.timers.tick(20_000);
  assert.equal(location.href, "https://host/a/");
});
