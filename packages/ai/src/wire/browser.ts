// Whether this is a web page. The SDKs refuse to run in one unless they are told that it is meant: a key in a page belongs to whoever
// opens the page. Here the caller has handed in key and address, for a server that lets pages ask it, so the decision is made.

/** What an SDK client has to be told in a web page; nothing elsewhere. */
export function browserConsent(): { dangerouslyAllowBrowser?: true } {
  return "document" in globalThis ? { dangerouslyAllowBrowser: true } : {};
}
