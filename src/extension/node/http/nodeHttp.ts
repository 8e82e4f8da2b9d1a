import { lookup } from 'node:dns';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { t } from '../../../protocol/language.ts';
import { abortable } from '../../base/abort.ts';
import { errorCode, LocalizedError, messageOf } from '../../base/errors.ts';
import { formatBytes } from '../../base/text.ts';
import { type Http, HttpError, type HttpRequest, type HttpResponse } from '../../platform/http/http.ts';
import { decompressBody } from './decompressBody.ts';
import { isPublicAddress } from './publicAddress.ts';

const redirectLimit = 5;
const redirects = new Set([301, 302, 303, 307, 308]);

const headers = {
  'user-agent': 'Mozilla/5.0 (compatible; Folio)',
  accept: 'text/html,application/xhtml+xml,text/*,application/json,*/*;q=0.5',
  'accept-encoding': 'gzip, deflate, br',
};

export class NodeHttp implements Http {
  private readonly allowLoopback: boolean;

  /** @param options `allowLoopback` allows this machine's own addresses, for tests */
  constructor(options: { readonly allowLoopback?: boolean } = {}) {
    this.allowLoopback = options.allowLoopback ?? false;
  }

  async get(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    const timeout = AbortSignal.timeout(request.timeoutMs);
    const both = AbortSignal.any([signal, timeout]);
    try {
      return await abortable(this.follow(request, both), both);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof HttpError) throw error;
      const { host } = new URL(request.url);
      if (timeout.aborted) {
        const seconds = request.timeoutMs / 1000;
        throw new HttpError('timeout', () => t('{0} did not answer within {1} s.', host, seconds), error);
      }
      throw new HttpError('network', () => t('{0} cannot be reached: {1}.', host, messageOf(error)), error);
    }
  }

  private async follow(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    let url = parseWebUrl(request.url);
    for (let hop = 0; hop <= redirectLimit; hop++) {
      const answer = await this.connect(url, signal);
      const { statusCode: status = 0, headers } = answer;
      if (redirects.has(status) && headers.location) {
        answer.destroy();
        url = parseWebUrl(headers.location, url);
        continue;
      }
      const contentType = (headers['content-type'] ?? '').toLowerCase();
      return { url: url.href, status, contentType, body: await readBody(answer, request, url) };
    }
    throw new HttpError('redirects', () =>
      t('{0} redirects more than {1} times.', request.url, redirectLimit),
    );
  }

  private connect(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
    // Names are checked in `lookup` while connecting, so that a name cannot resolve to one address for the check and to
    // another for the request. Literal addresses skip `lookup` and are checked here.
    const literal = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) !== 0 && !isPublicAddress(literal, this.allowLoopback)) throw blocked(url.hostname);
    const request = url.protocol === 'https:' ? requestHttps : requestHttp;
    return new Promise((resolve, reject) => {
      const sent = request(url, { headers, signal, lookup: this.lookup, agent: false }, resolve);
      sent.on('error', reject);
      sent.end();
    });
  }

  private readonly lookup: LookupFunction = (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, []);
      const open = addresses.filter(({ address }) => isPublicAddress(address, this.allowLoopback));
      const first = open[0];
      if (!first) return done(blocked(host), []);
      if (options.all) done(null, open);
      else done(null, first.address, first.family);
    });
  };
}

function parseWebUrl(text: string, base?: URL): URL {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
  if (!url) throw new HttpError('wrongUrl', () => t('{0} is not a URL.', text));
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new HttpError('wrongUrl', () => t('{0} must begin with http:// or https://.', text));
  }
  if (url.username || url.password)
    throw new HttpError('wrongUrl', () => t('URLs that contain a name and password are not allowed.'));
  return url;
}

function blocked(host: string): HttpError {
  return new HttpError('blocked', () =>
    t('{0} is an address of this machine or a private network, which is not fetched.', host),
  );
}

/** Limits the decoded bytes, so that a small compressed answer cannot fill the memory. */
async function readBody(answer: IncomingMessage, request: HttpRequest, url: URL): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const decoded = decompressBody(answer);
  try {
    for await (const chunk of decoded) {
      if (!(chunk instanceof Uint8Array)) continue;
      size += chunk.length;
      if (size > request.maxBytes) {
        throw new HttpError('tooLarge', () =>
          t('{0} is larger than {1}.', url.href, formatBytes(request.maxBytes)),
        );
      }
      chunks.push(chunk);
    }
  } catch (error) {
    if (errorCode(error)?.startsWith('Z_'))
      throw new LocalizedError(() => t('its compressed answer is damaged'), { cause: error });
    throw error;
  } finally {
    answer.destroy();
  }
  return Buffer.concat(chunks);
}
