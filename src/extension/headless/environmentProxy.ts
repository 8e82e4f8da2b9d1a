/* Sends a run's requests through the proxy in the environment, like other command-line programs. */

import { isIP } from 'node:net';
import { messageOf } from '../base/errors.ts';
import { readProxyEnvironment } from '../platform/sandbox.ts';

/** Added after the oldest Node version that a run supports. */
interface NewerHttp {
  readonly setGlobalProxyFromEnv?: (proxy: Readonly<Record<string, string | undefined>>) => () => void;
}

/** Addresses that bypass the proxy: this machine, and cloud metadata services, which only this machine can reach. */
const here =
  'localhost,127.0.0.1,[::1],169.254.169.254,169.254.170.2,[fd00:ec2::254],metadata.google.internal';

/** Call before the first request. `notify` gets a message if the environment names an unusable proxy. */
export function useEnvironmentProxy(
  env: Readonly<Record<string, string | undefined>>,
  notify: (sentence: string) => void,
): void {
  const { http: plain, https: secure, except } = readProxyEnvironment(env);
  if ((plain ?? secure) === undefined || env.NODE_USE_ENV_PROXY === '0') return;
  // Importing the module by name would also load `fetch`, even for a run that needs neither.
  const { setGlobalProxyFromEnv } = process.getBuiltinModule('node:http') as NewerHttp;
  if (!setGlobalProxyFromEnv) {
    if (env.NODE_USE_ENV_PROXY === '1') return;
    notify(
      `Requests go straight, not by the proxy of HTTPS_PROXY, since Node ${process.version} does not take it automatically. Set NODE_USE_ENV_PROXY=1, or use a newer Node.`,
    );
    return;
  }
  const hosts = parseNoProxy(except);
  const no_proxy = hosts.includes('*') ? '*' : [...hosts, here].join();
  try {
    setGlobalProxyFromEnv({ http_proxy: withProtocol(plain), https_proxy: withProtocol(secure), no_proxy });
  } catch (error) {
    notify(
      `Requests go straight, since the proxy of HTTP_PROXY or HTTPS_PROXY is no address (${messageOf(error)}). Correct it, then start again.`,
    );
  }
}

function withProtocol(address: string | undefined): string | undefined {
  return address === undefined || address.includes('://') ? address : `http://${address}`;
}

/**
 * Converts `NO_PROXY` to Node's format. Node supports neither blanks nor networks, and matches a name exactly, where
 * other programs include its subdomains.
 */
export function parseNoProxy(except: string): readonly string[] {
  return except.split(/[\s,]+/).flatMap(entry => {
    const plain = entry
      .toLowerCase()
      .replace(/^[a-z]+:\/\//, '')
      .replace(/\/$/, '');
    if (plain === '' || plain === '*') return plain === '' ? [] : [plain];
    if (plain.includes('/')) return networkRange(plain);
    if (isIP(plain) === 6) return [`[${plain}]`, plain];
    const [, name = '', port = ''] = /^(.*?)\.?(:\d+)?$/.exec(plain) ?? [];
    if (isIP(name) === 4 || name.startsWith('[')) return [name + port];
    const domain = name.replace(/^\*?\./, '');
    return [domain + port, `.${domain}${port}`, `*.${domain}${port}`];
  });
}

/** Converts `10.0.0.0/8` to `10.0.0.0-10.255.255.255`. Returns an empty list for anything but an IPv4 network. */
function networkRange(network: string): readonly string[] {
  const [, address = '', bits] = /^([\d.]+)\/(\d+)$/.exec(network) ?? [];
  const size = 2 ** (32 - Number(bits));
  if (isIP(address) !== 4 || !(size >= 1 && size <= 2 ** 32)) return [];
  const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const first = number - (number % size);
  return [[first, first + size - 1].map(dotted).join('-')];
}

function dotted(number: number): string {
  return [24, 16, 8, 0].map(shift => Math.floor(number / 2 ** shift) % 256).join('.');
}
