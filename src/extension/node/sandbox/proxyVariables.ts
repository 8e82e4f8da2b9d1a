/**
 * The usual proxy variables. The command's own local servers are reached directly, unless those of the host were
 * granted.
 */
export function proxyVariables(port: number, hosts: readonly string[]): Readonly<Record<string, string>> {
  const isLocal = hosts.some(host => /^(?:localhost|127\.|::1|\[::1)/.test(host));
  const [http, socks] = [`http://127.0.0.1:${port}`, `socks5h://127.0.0.1:${port}`];
  const straight = isLocal ? '' : 'localhost,127.0.0.1,::1';
  return {
    http_proxy: http,
    https_proxy: http,
    HTTP_PROXY: http,
    HTTPS_PROXY: http,
    all_proxy: socks,
    ALL_PROXY: socks,
    no_proxy: straight,
    NO_PROXY: straight,
    NODE_USE_ENV_PROXY: '1',
  };
}
