import { t } from '../../protocol/language.ts';
import { commandKey } from '../ui/systemKeys.ts';

/* As package.json binds them to `folio.deny` and `folio.acceptAlways`. */

export const denyKeys = `${commandKey}⌫`;
export const alwaysKeys = `${commandKey}⇧⏎`;

/** Stands over the prompt when a key would decide although words of the user wait behind the card. */
export const heldHint = () =>
  t('Your message is read after this decision. Press again to decide, {0} denies.', denyKeys);
