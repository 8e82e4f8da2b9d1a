/* Requests of a run go by the proxy that the environment names, as those of other programs of the command line do. */

import { messageOf } from '../base/errors.ts';
import { proxyOfEnvironment } from '../platform/sandbox.ts';
import { bypassedHosts } from './bypassedHosts.ts';

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
  const { http: plain, https: secure, except } = proxyOfEnvironment(env);
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
