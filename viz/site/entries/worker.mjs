// Keeps what was fetched once, so that the site works without a network. A new version of the site has a new cache.

const CACHE = `site-${new URL(location.href).searchParams.get("version")}`;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(dropOthers().then(() => self.clients.claim())));
self.addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && new URL(event.request.url).origin === location.origin)
    event.respondWith(answer(event.request));
});

async function dropOthers() {
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith("site-") && name !== CACHE);
  await Promise.all(others.map((name) => caches.delete(name)));
}

// What is kept, whatever the link carries; a page comes from the network first, so that a new version is seen.
async function answer(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request, { ignoreSearch: true });
  if (kept && request.mode !== "navigate") return kept;
  try {
    const fresh = await fetch(request);
    if (fresh.ok && !fresh.redirected) cache.put(request.url.split("?")[0], fresh.clone());
    return fresh;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}
