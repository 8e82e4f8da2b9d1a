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
  const isLocal = hosts.some(host => /^(?:localhost|127\.|::1|\[::1)/.test(host));
  const own = { ELECTRON_RUN_AS_NODE: '1', FOLIO_NO_PROXY: isLocal ? '' : 'localhost,127.0.0.1,::1' };
  return { ...launch, file: program, args: ['-e', script, file, ...args], env: { ...env, ...own } };
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
  const { ELECTRON_RUN_AS_NODE, FOLIO_NO_PROXY, ...env } = process.env;
  const http = 'http://127.0.0.1:' + port;
  const socks = 'socks5h://127.0.0.1:' + port;
  for (const name of ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY']) env[name] = http;
  for (const name of ['all_proxy', 'ALL_PROXY']) env[name] = socks;
  for (const name of ['no_proxy', 'NO_PROXY']) env[name] = FOLIO_NO_PROXY;
  env.NODE_USE_ENV_PROXY = '1';
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
