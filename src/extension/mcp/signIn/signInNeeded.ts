import { t } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';

/** The server requires the user to sign in, or to sign in again with more scopes. */
export class SignInNeededError extends LocalizedError {
  constructor(server: string) {
    super(() => t('The server {0} requires you to sign in. Do so on the servers page.', server));
    this.name = 'SignInNeededError';
  }
}
