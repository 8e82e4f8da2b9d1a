/* Self-signed certificates. */

import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

export interface Certificate {
  readonly key: Buffer;
  readonly cert: Buffer;
  /** Path of the certificate. */
  readonly file: string;
}

/** Writes a certificate for a host or address into the folder. */
export async function makeCertificate(folder: string, name = '127.0.0.1'): Promise<Certificate> {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const kind = /^[\d.]+$/.test(name) ? 'IP' : 'DNS';
  const how = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${name}`];
  const names = ['-addext', `subjectAltName=${kind}:${name}`];
  await promisify(execFile)('openssl', [...how, ...names, '-keyout', key, '-out', cert]);
  return { key: await readFile(key), cert: await readFile(cert), file: cert };
}
