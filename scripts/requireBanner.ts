/** Defines `require` in ES module bundles, where CommonJS packages need it for Node's modules. */
export const requireBanner =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);";
