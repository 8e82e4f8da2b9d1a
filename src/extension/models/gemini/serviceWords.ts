import { t } from '../../../protocol/language.ts';
import type { AddressForm } from '../wire/addressAdvice.ts';
import { refusedKey } from '../wire/foreignKey.ts';

/** How a service that has Gemini's models is spoken of to a user. Sentences are whole; the rest stands in them. */
export interface ServiceWords extends AddressForm {
  readonly name: string;
  /** The holder of models, quota and limits, as it reads after "for" and "from". */
  readonly holder: string;
  /** The next three come after "check". */
  readonly places: string;
  readonly permissions: string;
  readonly billing: string;
  /** Says that the credentials were refused. */
  readonly rejected: (secret: string | undefined) => string;
  /** Nothing was sent that lets in. */
  readonly missing: string;
  /** It cannot be sent as it is. */
  readonly broken: string;
}

const setAgain = () => t('Set it again with "Folio: Set API Key".');

export const geminiWords: ServiceWords = {
  name: 'Gemini',
  get holder() {
    return t('this API key');
  },
  setting: 'folio.baseUrl',
  variable: 'GOOGLE_GEMINI_BASE_URL',
  ending: '',
  excess: /\/v1(beta|alpha)?(\/models.*)?$/,
  get places() {
    return t('the setting folio.baseUrl');
  },
  get permissions() {
    return t("the API key's project and its permissions");
  },
  get billing() {
    return t("the key's project, its billing and the region");
  },
  rejected: key => refusedKey('Gemini', key, 'gemini'),
  get missing() {
    return t('Gemini got no API key. Set one with "Folio: Set API Key".');
  },
  get broken() {
    return t('The Gemini API key holds characters that no key has. {0}', setAgain());
  },
};
