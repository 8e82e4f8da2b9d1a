import type { AddressForm } from '../wire/addressAdvice.ts';
import { refusedKey } from '../wire/foreignKey.ts';

/** How a service that has Gemini's models is spoken of to a person. Sentences are whole; the rest stands in them. */
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

const setAgain = 'Set it again with "Folio: Set API Key".';

export const geminiWords: ServiceWords = {
  name: 'Gemini',
  holder: 'this API key',
  setting: 'folio.baseUrl',
  ending: '',
  excess: /\/v1(beta|alpha)?(\/models.*)?$/,
  places: 'the setting folio.baseUrl',
  permissions: "the API key's project and its permissions",
  billing: "the key's project, its billing and the region",
  rejected: key => refusedKey('Gemini', key, 'gemini'),
  missing: 'Gemini got no API key. Set one with "Folio: Set API Key".',
  broken: `The Gemini API key holds characters that no key has. ${setAgain}`,
};
