/*
 * Finds secrets in what was typed for a server. They are saved in the secret storage if possible, or replaced by an
 * environment variable with the same value.
 */

import { maskSecrets, namesSecret } from '../../../base/maskSecrets.ts';
import { isRecord } from '../../../base/record.ts';
import type { ServerEntries } from '../../../platform/customizations/serverFiles.ts';

export interface ProtectedEntry {
  readonly entry: ServerEntries;
  /** Secrets that were replaced, by the id of their `${input:…}`. */
  readonly answers: ReadonlyMap<string, string>;
  /** Secrets saved as typed: names of headers and variables, `arguments`, `address`. */
  readonly plain: readonly string[];
}

interface SecretPlaces {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly hasStorage: boolean;
}

export function protectSecrets(name: string, entry: ServerEntries, places: SecretPlaces): ProtectedEntry {
  const answers = new Map<string, string>();
  const plain: string[] = [];
  const protect = (key: string, value: string): string => {
    if (isReference(value) || !isSecret(key, value)) return value;
    const named = namedInstead(value, places.env);
    if (named !== undefined) return named;
    if (!places.hasStorage) {
      plain.push(key);
      return value;
    }
    const id = `${name}-${key}`.toLowerCase();
    answers.set(id, value);
    return `\${input:${id}}`;
  };
  const changed = Object.fromEntries(
    Object.entries(entry).map(([key, value]) => {
      if ((key !== 'headers' && key !== 'env') || !isRecord(value)) return [key, value];
      return [key, Object.fromEntries(Object.entries(value).map(([k, v]) => [k, protect(k, String(v))]))];
    }),
  );
  if (looksSecret(entry.args)) plain.push('arguments');
  if (looksSecret(entry.url)) plain.push('address');
  return { entry: changed, answers, plain };
}

/** True for `$TOKEN` and `Bearer ${TOKEN}`, which only refer to a secret. */
function isReference(value: string): boolean {
  return /^(?:\w+ )?\$(?:\{[^{}]+\}|[A-Za-z_]\w*)$/.test(value);
}

function isSecret(key: string, value: string): boolean {
  return /auth|cookie|key|token/i.test(key) || namesSecret(key) || looksSecret(`${key}: ${value}`);
}

function looksSecret(value: unknown): boolean {
  const text = Array.isArray(value) ? value.join(' ') : value;
  return typeof text === 'string' && (maskSecrets(text) !== text || secretInAddress.test(text));
}

const secretInAddress = /[?&][\w-]*(?:key|token|secret|password)=[^&\s$]/i;

/** Shorter values may equal a variable by chance. */
const shortestSecret = 12;

function namedInstead(value: string, env: SecretPlaces['env']): string | undefined {
  const [, scheme = '', secret = value] = /^(\w+ )(\S+)$/.exec(value) ?? [];
  if (secret.length < shortestSecret) return undefined;
  const name = Object.keys(env).find(each => /^[A-Za-z_]\w*$/.test(each) && env[each] === secret);
  return name && `${scheme}\${${name}}`;
}
