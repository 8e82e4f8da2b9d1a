/*
 * Programs know proxies by an address, not by a path: inside the walls, where this machine's loopback is a network of
 * the command's own, a small program listens there, hands on to the socket of `HostProxy`, and runs the command.
 */

import type { Launch } from '../../platform/sandbox.ts';

/** Where the proxy's socket stands inside. */
export const socketInside = '/run/folio-proxy.sock';

/**
 * The command behind the forwarder, which ends as the command ends.
 * @param program this host's own Node, or the editor that can be one
 */
export function throughForwarder(
  launch: Launch,
  hosts: readonly string[],
  program = process.execPath,
): Launch {
  const { file, args, env } = launch;
  // The port is known inside alone, where it takes the place of the word.
  const own = { ELECTRON_RUN_AS_NODE: '1', FOLIO_PROXY: JSON.stringify(proxyVariables('PORT', hosts)) };
  return { ...launch, file: program, args: ['-e', script, file, ...args], env: { ...env, ...own } };
}

/** The usual variables. Servers of the command's own are reached straight, unless those of the host were granted. */
export function proxyVariables(
  port: number | string,
  hosts: readonly string[],
): Readonly<Record<string, string>> {
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

const script = `
const net = require('net');
const [file, ...args] = process.argv.slice(1);
const server = net.createServer({ allowHalfOpen: true }, near => {
  const far = net.connect({ path: '${socketInside}', allowHalfOpen: true });
  near.on('error', () => far.destroy());
  far.on('error', () => near.destroy());
  near.pipe(far).pipe(near);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  const { ELECTRON_RUN_AS_NODE, FOLIO_PROXY, ...env } = process.env;
  Object.assign(env, JSON.parse(FOLIO_PROXY.replaceAll('PORT', port)));
  const child = require('child_process').spawn(file, args, { stdio: 'inherit', env });
  child.on('error', error => {
    console.error(error.message);
    process.exit(127);
  });
  child.on('exit', (code, signal) => {
    process.exit(signal ? 128 + require('os').constants.signals[signal] : code);
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
});
`;
