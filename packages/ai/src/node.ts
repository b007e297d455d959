// What needs a file system, kept out of the main entry so that it can be bundled for a browser.
export { findJsonFault, type JsonFault } from "./models/node/json-fault.ts";
export { loadModelOverrides, ModelOverridesError } from "./models/node/load-overrides.ts";
export {
  catalogDirectory,
  type RefreshOptions,
  type RefreshResult,
  refreshCatalog,
} from "./models/node/refresh-catalog.ts";
export { type CredentialStore, createCredentialStore } from "./providers/node/credential-store.ts";
export { withFileLock } from "./providers/node/file-lock.ts";
