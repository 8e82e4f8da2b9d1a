import { t } from '../../protocol/language.ts';
import { altKey, commandKey } from '../ui/systemKeys.ts';

/* Keys that package.json binds to `folio.deny`, `folio.acceptAlways` and `folio.runInTerminal`. */

export const denyKeys = `${commandKey}⌫`;
export const alwaysKeys = `${commandKey}⇧⏎`;
export const terminalKeys = `${commandKey}${altKey}⏎`;

/** Hint above the prompt if a key would decide while a prompt of the user waits for the card. */
export const heldHint = () =>
  t('Your message is read after this decision. Press again to decide, {0} denies.', denyKeys);

/** Hint above the prompt if the card offers no lasting permission. */
export const noLastingChoiceHint = () =>
  t('{0} decided nothing: this card offers no permission for the workspace.', alwaysKeys);
