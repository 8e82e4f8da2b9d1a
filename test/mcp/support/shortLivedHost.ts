/* Starts a server with a child process, and waits to be killed: `node shortLivedHost.ts <program> <file>`. */

import { NodeServerProcesses } from '../../../src/extension/node/processes/serverProcesses.ts';

const [program = '', file = ''] = process.argv.slice(2);
new NodeServerProcesses().start({
  command: process.execPath,
  args: [program, 'child', file],
  cwd: '/',
  env: {},
});
setInterval(() => {}, 1000);
