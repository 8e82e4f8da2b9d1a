import { t } from '../../protocol/language.ts';
import { LocalizedError } from '../base/errors.ts';
import { type Http, HttpError } from '../platform/http/http.ts';
import { responseToText } from './web/webPage.ts';
import { rawUrl } from './web/webUrls.ts';

const timeoutMs = 10_000;
const maxBytes = 10 * 1024 * 1024;

/** Returns the text of a page that a prompt names. Rejects with a sentence for the user. */
export async function readMentionedPage(http: Http, url: string, signal: AbortSignal): Promise<string> {
  try {
    const response = await http.get({ url: rawUrl(url), timeoutMs, maxBytes }, signal);
    if (response.status < 200 || response.status > 299)
      throw new Error(t('The server answered with status {0}', response.status));
    const text = await responseToText(response);
    if (text === undefined) throw new Error(t('It is not text but {0}', response.contentType));
    return text;
  } catch (error) {
    throw error instanceof HttpError ? new LocalizedError(() => error.say(), { cause: error }) : error;
  }
}
