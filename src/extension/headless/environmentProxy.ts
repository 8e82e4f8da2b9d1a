/* Requests of a run go by the proxy that the environment names, as those of other programs of the command line do. */

import { isIP } from 'node:net';
import { messageOf } from '../base/errors.ts';
import { readProxyEnvironment } from '../platform/sandbox.ts';

/** Newer than the oldest Node that a run works with. */
interface NewerHttp {
  readonly setGlobalProxyFromEnv?: (proxy: Readonly<Record<string, string | undefined>>) => () => void;
}

/** Servers of this machine are reached straight, and what tells a machine of a cloud its credentials: nobody elsewhere could. */
const here =
  'localhost,127.0.0.1,[::1],169.254.169.254,169.254.170.2,[fd00:ec2::254],metadata.google.internal';

/** Before the first request. `notify` gets a sentence where a proxy is named that cannot be used. */
export function useEnvironmentProxy(
  env: Readonly<Record<string, string | undefined>>,
  notify: (sentence: string) => void,
): void {
  const { http: plain, https: secure, except } = readProxyEnvironment(env);
  if ((plain ?? secure) === undefined || env.NODE_USE_ENV_PROXY === '0') return;
  // Imported by name, the module would bring `fetch` along, also for a run that needs neither.
  const { setGlobalProxyFromEnv } = process.getBuiltinModule('node:http') as NewerHttp;
  if (!setGlobalProxyFromEnv) {
    if (env.NODE_USE_ENV_PROXY === '1') return;
    notify(
      `Requests go straight, not by the proxy of HTTPS_PROXY, since Node ${process.version} does not take it automatically. Set NODE_USE_ENV_PROXY=1, or use a newer Node.`,
    );
    return;
  }
  const hosts = bypassedHosts(except);
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
 * The entries of `NO_PROXY` in the forms that Node takes: it reads neither blanks between them nor networks, and takes a
 * name for that host alone, where other programs mean what stands below it, too.
 */
export function bypassedHosts(except: string): readonly string[] {
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

/** `10.0.0.0/8` as `10.0.0.0-10.255.255.255`; none for what is no network of the fourth version. */
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
