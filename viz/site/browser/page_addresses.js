// Where the pages are: each in a folder of its own, or all in one file, whose link names one of them.

/** @typedef {{ base: URL, isOneFile: boolean, pages: string[] }} Places */

export class PageAddresses {
  /** @param {Places} places */
  constructor({ base, isOneFile, pages }) {
    this.base = base;
    this.isOneFile = isOneFile;
    this.pages = pages;
    this.file = [base.protocol, base.host, base.pathname].join();
  }

  // Where ``name`` is, with ``query`` in its link.
  /** @type {(name: string, query: URLSearchParams) => string} */
  of(name, query) {
    const link = new URLSearchParams(query);
    if (this.isOneFile && name) link.set("page", name);
    const asked = String(link);
    if (this.isOneFile) return `?${asked}`;
    return new URL(`${name && `${name}/`}${asked && `?${asked}`}`, this.base).href;
  }

  // The name of the page at ``url``; undefined where there is none.
  /** @type {(url: URL) => string | undefined} */
  nameAt(url) {
    const name = this.isOneFile ? this.inLink(url) : this.inPath(url);
    return this.pages.find((one) => one === name);
  }

  /** @param {URL} url */
  inLink(url) {
    const isHere = [url.protocol, url.host, url.pathname].join() === this.file;
    return isHere ? (url.searchParams.get("page") ?? "") : null;
  }

  /** @param {URL} url */
  inPath({ origin, pathname }) {
    if (origin !== this.base.origin || !`${pathname}/`.startsWith(this.base.pathname)) return null;
    return pathname.slice(this.base.pathname.length).replace(/(^\/|\/(index\.html)?$|^index\.html$)/g, "");
  }
}
