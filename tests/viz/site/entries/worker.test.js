import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const SCOPE = "https://host/a/";

/** @type {Map<string, Map<string, Response>>} */
const stored = new Map();
/** @type {Record<string, (event: any) => void>} */
let listeners = {};
/** @type {[string, RequestInit | undefined][]} */
let fetched = [];
let isOffline = false;
// What the server says the content is, and what a file waits for before it is stored.
let type = "text/plain";
let room = Promise.resolve();
let starts = 0;

// A worker of ``version``; only an address of its own has Node read the module again.
async function started(version, scope = SCOPE) {
  listeners = {};
  Object.assign(globalThis, {
    self: {
      registration: { scope },
      clients: { claim: async () => {} },
      skipWaiting: () => {},
      addEventListener: (name, listener) => {
        listeners[name] = listener;
      },
    },
    location: new URL(`worker.js?version=${version}`, scope),
    caches: {
      keys: async () => [...stored.keys()],
      delete: async (name) => stored.delete(name),
      open: async (name) => {
        const files = stored.get(name) ?? new Map();
        stored.set(name, files);
        return {
          match: async (url) => files.get(url)?.clone(),
          put: async (url, response) => {
            await room;
            files.set(url, response);
          },
        };
      },
    },
    fetch: async (request, options) => {
      if (isOffline) throw new TypeError("no network");
      fetched.push([request.url ?? request, options]);
      return new Response("fresh", { headers: { "content-type": type } });
    },
  });
  starts += 1;
  await import(`../../../../viz/site/entries/worker.mjs?${starts}`);
}

async function sent(name, event) {
  const [results, waited] = [[], []];
  listeners[name]({
    ...event,
    waitUntil: (promise) => waited.push(promise),
    respondWith: (promise) => results.push(promise),
  });
  const [result] = await Promise.all(results);
  await Promise.all(waited);
  return result;
}

const request = (path, mode = "cors") => ({ method: "GET", url: new URL(path, SCOPE).href, mode });

beforeEach(() => {
  stored.clear();
  fetched = [];
  isOffline = false;
  type = "text/plain";
  room = Promise.resolve();
});

test("a page comes from the server at each visit, and without a network as it was kept", async () => {
  await started("1");
  for (const _ of [1, 2]) await sent("fetch", { request: request("translate/?text=one#top", "navigate") });
  assert.deepEqual(
    fetched.map(([, options]) => options?.cache),
    ["no-cache", "no-cache"],
  );
  isOffline = true;
  assert.equal(await (await sent("fetch", { request: request("translate/?text=two", "navigate") })).text(), "fresh");
  await assert.rejects(sent("fetch", { request: request("cliff/", "navigate") }), /no network/);
});

test("any other file is fetched once", async () => {
  await started("1");
  for (const path of ["assets/1/ort.mjs", "assets/1/ort.mjs?again=1"]) await sent("fetch", { request: request(path) });
  assert.equal(fetched.length, 1);
});

test("what a page loaded before it had the worker is kept from the browser's own cache", async () => {
  await started("1");
  await sent("message", {
    data: [SCOPE, `${SCOPE}assets/1/site.js`, "https://host/b/other.js", "blob:https://host/1"],
  });
  assert.deepEqual(fetched, [
    // A page that the browser kept may be one of an older version.
    [SCOPE, { cache: "no-cache" }],
    [`${SCOPE}assets/1/site.js`, { cache: "force-cache" }],
  ]);
  await sent("message", { data: [SCOPE] });
  assert.equal(fetched.length, 2);
  isOffline = true;
  for (const one of [request("?text=one", "navigate"), request("assets/1/site.js")])
    assert.equal(await (await sent("fetch", { request: one })).text(), "fresh");
});

test("a new version drops the older one's cache, and none of another site of the same origin", async () => {
  const others = ["https://host/", "https://host/a/b/", "https://host/b/"];
  for (const scope of [SCOPE, ...others]) {
    await started("1", scope);
    await sent("message", { data: [scope] });
  }
  stored.set("site-of-another-app", new Map());
  await started("2");
  await sent("activate", {});
  assert.deepEqual(
    [...stored.keys()].sort(),
    [...others.map((scope) => `site 1 ${scope}`), "site-of-another-app"].sort(),
  );
});

test("what is outside the site is left to the browser", async () => {
  await started("1");
  assert.equal(await sent("fetch", { request: request("https://host/b/") }), undefined);
});

test("a worker that has answered stays until the file is stored", async () => {
  await started("1");
  const storing = Promise.withResolvers();
  room = storing.promise;
  const answered = sent("fetch", { request: request("assets/1/ort.mjs") });
  let hasEnded = false;
  answered.then(() => {
    hasEnded = true;
  });
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(hasEnded, false);
  storing.resolve();
  assert.equal(await (await answered).text(), "fresh");
});

test("a page that is answered where a file is missing is not kept for it", async () => {
  await started("1");
  type = "text/html; charset=utf-8";
  for (const path of ["assets/1/fr-en.weights.bin", "", "index.html"]) await sent("fetch", { request: request(path) });
  assert.deepEqual(
    [...stored.values()].flatMap((files) => [...files.keys()]),
    [SCOPE, `${SCOPE}index.html`],
  );
});
