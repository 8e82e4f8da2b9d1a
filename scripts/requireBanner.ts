/** CommonJS packages inside of a bundle of modules call `require` for Node's own modules. */
export const requireBanner =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);";
