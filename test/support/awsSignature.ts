/*
 * Checks AWS signatures (Signature Version 4) by Amazon's specification, independently of the signing library.
 */

import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { SentRequest } from './scriptedServer.ts';

export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Returns true if these keys signed the request for Bedrock in the region. */
export function isSigned(
  { method, target, bytes }: SentRequest,
  headers: IncomingHttpHeaders,
  { accessKeyId, secretAccessKey, sessionToken }: AwsKeys,
  region: string,
): boolean {
  const said =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d+)\/(.+?), SignedHeaders=(.+?), Signature=(\w+)$/.exec(
      String(headers.authorization),
    );
  if (!said) return false;
  const [, id, day = '', scope, names = '', signature] = said;
  if (id !== accessKeyId || scope !== `${region}/bedrock/aws4_request`) return false;
  if (headers['x-amz-security-token'] !== sessionToken) return false;
  if (!/(^|;)host(;|$)/.test(names) || !/(^|;)x-amz-date(;|$)/.test(names)) return false;
  const time = String(headers['x-amz-date']);
  const [path = '', query = ''] = target.split('?');
  const canonical = [
    method,
    path.split('/').map(encode).join('/'),
    [...new URLSearchParams(query)]
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .sort()
      .join('&'),
    ...names.split(';').map(name => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    hash(bytes),
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', time, `${day}/${scope}`, hash(canonical)].join('\n');
  const key = [day, region, 'bedrock', 'aws4_request'].reduce<Buffer | string>(
    (signing, part) => hmac(signing, part),
    `AWS4${secretAccessKey}`,
  );
  return time.startsWith(day) && hmac(key, text).toString('hex') === signature;
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
