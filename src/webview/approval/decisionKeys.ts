import { commandKey } from '../ui/systemKeys.ts';

/* As package.json binds them to `folio.accept` and `folio.deny`; both signs are on each system's keyboards. */

export const acceptKeys = `${commandKey}⏎`;
export const denyKeys = `${commandKey}⌫`;
