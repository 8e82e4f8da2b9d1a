import { commandKey } from '../ui/systemKeys.ts';

/* As package.json binds them to `folio.accept`, `folio.deny` and `folio.acceptAlways`. */

export const acceptKeys = `${commandKey}⏎`;
export const denyKeys = `${commandKey}⌫`;
export const alwaysKeys = `${commandKey}⇧⏎`;
