/* Starts a server that has a child, and waits to be killed: `node shortLivedHost.ts <program> <file>`. */

import { NodeMcpProcesses } from '../../../src/extension/node/processes/mcpProcesses.ts';

const [program = '', file = ''] = process.argv.slice(2);
new NodeMcpProcesses().start({
  command: process.execPath,
  args: [program, 'child', file],
  cwd: '/',
  env: {},
});
setInterval(() => {}, 1000);
