/* Connects through the user's own proxy, behind the sandbox's proxy. */

import { type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { t } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';
import type { UserProxy } from '../../platform/sandbox.ts';

export interface ProxyTarget {
  readonly host: string;
  readonly port: number;
}

interface NextProxy {
  readonly address: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** How to reach a granted host. */
export interface ProxyRoute {
  /** An address, or a name that the proxy resolves. */
  readonly host: string;
  /** Omitted for a direct connection. */
  readonly next?: NextProxy;
}

/** Throws a user-facing message if a proxy is unsupported. */
export function assertProxySupported({ http, https }: UserProxy): void {
  for (const address of [http, https]) if (address !== undefined) parseAddress(address);
}

/** Returns `undefined` for a direct connection, always for this machine. */
export function findUpstreamProxy(
  goal: ProxyTarget,
  kind: 'http' | 'https',
  proxy: UserProxy,
): NextProxy | undefined {
  const written = proxy[kind];
  if (written === undefined || isHere(goal.host) || isExcepted(proxy.except, goal)) return undefined;
  const address = parseAddress(written);
  const name = decodeURIComponent(address.username);
  const password = decodeURIComponent(address.password);
  const own = name === '' ? undefined : `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
  const login = proxy.login ?? own;
  return { address, headers: login === undefined ? {} : { 'proxy-authorization': login } };
}

/** Sends the request directly, or to the proxy, which then carries it out. */
export function requestVia(
  { host, next }: ProxyRoute,
  url: URL,
  options: RequestOptions,
  onAnswer: (answer: IncomingMessage) => void,
): ClientRequest {
  if (!next)
    return request(
      { ...options, host, port: Number(url.port || 80), path: url.pathname + url.search },
      onAnswer,
    );
  const headers = { ...options.headers, ...next.headers };
  return ask(next, { ...options, headers, path: url.href }, onAnswer);
}

/** Connects to the goal. Rejects on failure, and when `signal` aborts. */
export function connectVia({ host, next }: ProxyRoute, port: number, signal: AbortSignal): Promise<Duplex> {
  if (next) return tunnelThrough(next, { host, port }, signal);
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, signal });
    socket.once('error', reject).once('connect', () => resolve(socket.off('error', reject)));
  });
}

function tunnelThrough(next: NextProxy, { host, port }: ProxyTarget, signal: AbortSignal): Promise<Duplex> {
  const path = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const options = { method: 'CONNECT', path, headers: { host: path, ...next.headers }, signal };
  return new Promise((resolve, reject) => {
    const refuse = (answer: IncomingMessage) => {
      answer.destroy();
      reject(new Error(`The proxy ${next.address.host} answers ${answer.statusCode}.`));
    };
    ask(next, options, refuse)
      .on('error', reject)
      .on('connect', (answer, socket, head) => {
        if (answer.statusCode !== 200) return refuse(answer);
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
      })
      .end();
  });
}

function ask(
  { address }: NextProxy,
  options: RequestOptions,
  onAnswer: (answer: IncomingMessage) => void,
): ClientRequest {
  const isSecure = address.protocol === 'https:';
  const host = address.hostname.replace(/^\[|\]$/g, '');
  const port = Number(address.port || (isSecure ? 443 : 80));
  return (isSecure ? requestSecurely : request)({ ...options, host, port, agent: false }, onAnswer);
}

function parseAddress(written: string): URL {
  const whole = written.includes('://') ? written : `http://${written}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (url && ['http:', 'https:'].includes(url.protocol)) return url;
  throw new LocalizedError(() =>
    t(
      'Your proxy, from the setting "http.proxy" or from HTTP_PROXY and HTTPS_PROXY, must be an http or https address. Commands in the sandbox cannot use any other.',
    ),
  );
}

function isHere(host: string): boolean {
  return /^(?:localhost|127\..*|::1)$/.test(host);
}

/** `example.com` includes its subdomains, like `.example.com` and `*.example.com`. */
function isExcepted(except: string, { host, port }: ProxyTarget): boolean {
  return except.split(/[\s,]+/).some(entry => {
    const [, name = '', only] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (name === '' || (only !== undefined && Number(only) !== port)) return false;
    const domain = name.replace(/^\*?\./, '');
    return name === '*' || host === domain || host.endsWith(`.${domain}`);
  });
}
