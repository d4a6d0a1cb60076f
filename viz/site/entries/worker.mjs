// Keeps what was fetched once, so that the site works without a network. A new version of the site has a new cache.

const { scope } = self.registration;
const version = new URL(location.href).searchParams.get("version");
// Caches belong to the origin, which other sites may share.
const MARK = "site";
const CACHE = [MARK, version, scope].join(" ");

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(dropOthers().then(() => self.clients.claim())));
self.addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(scope)) event.respondWith(answer(event));
});
// The addresses of files that a page loaded before it had this worker.
self.addEventListener("message", (event) => event.waitUntil(Promise.allSettled(event.data.map(keepLoaded))));

async function dropOthers() {
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith(`${MARK} `) && name.endsWith(` ${scope}`) && name !== CACHE);
  await Promise.all(others.map((name) => caches.delete(name)));
}

// What is kept, whatever the link carries; a page comes from the network first, so that a new version is seen.
async function answer(event) {
  const { request } = event;
  const cache = await caches.open(CACHE);
  const kept = await cache.match(addressOf(request));
  const isPage = request.mode === "navigate";
  if (kept && !isPage) return kept;
  try {
    // A page that the browser kept for a while would ask for files of an older version.
    const fresh = await fetch(request, isPage ? { cache: "no-cache" } : {});
    // The browser lets the worker end once it has answered. Where there is no room for it, it is shown all the same.
    event.waitUntil(keep(cache, request, fresh.clone()).catch(() => {}));
    return fresh;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

// The browser has a loaded file itself for now: it is not loaded twice. A page may be one of an older version there.
async function keepLoaded(url) {
  if (!url.startsWith(scope)) return;
  const cache = await caches.open(CACHE);
  const address = addressOf({ url });
  if (!(await cache.match(address)))
    await keep(cache, { url }, await fetch(url, { cache: isPageAt(address) ? "no-cache" : "force-cache" }));
}

async function keep(cache, request, response) {
  const address = addressOf(request);
  // Some hosts answer with a page where a file is missing.
  const isOther = !isPageAt(address) && /^text\/html/.test(response.headers.get("content-type") ?? "");
  if (response.ok && !response.redirected && !isOther) await cache.put(address, response);
}

function isPageAt(address) {
  return /(\/|\.html)$/.test(address);
}

function addressOf({ url }) {
  return url.split(/[?#]/)[0];
}
