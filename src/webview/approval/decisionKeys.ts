import { t } from '../../protocol/language.ts';
import { commandKey } from '../ui/systemKeys.ts';

/* As package.json binds them to `folio.deny` and `folio.acceptAlways`. */

export const denyKeys = `${commandKey}⌫`;
export const alwaysKeys = `${commandKey}⇧⏎`;

/** Stands over the prompt when a key would decide although words of the user wait behind the card. */
export const heldHint = () =>
  t('Your message is read after this decision. Press again to decide, {0} denies.', denyKeys);

/** Stands over the prompt when the keys of a lasting permission find none on the card. */
export const eachTimeHint = () =>
  t('{0} decided nothing: this card offers no permission for the workspace.', alwaysKeys);
