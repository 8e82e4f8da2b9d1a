import { expect, test } from 'vitest';
import { findReason, ServerLog } from '../../src/extension/platform/framing/serverLog.ts';

// What each program of this kind printed, as it stands in reports and in our own runs.
const outputs: Readonly<Record<string, readonly [reason: string, output: string]>> = {
  'Node without a module': [
    "Error: Cannot find module '/srv/tides/index.js'",
    `node:internal/modules/cjs/loader:1143
  throw err;
  ^

Error: Cannot find module '/srv/tides/index.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1140:15)
    at node:internal/main/run_main_module:28:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v20.11.1`,
  ],
  'Node with a stack of requires': [
    "Error: Cannot find module 'zod'",
    `Error: Cannot find module 'zod'
Require stack:
- /srv/tides/index.js
- /srv/tides/start.js
    at Module._resolveFilename (node:internal/modules/cjs/loader:1140:15) {
  code: 'MODULE_NOT_FOUND',
  requireStack: [
    '/srv/tides/index.js',
    '/srv/tides/start.js'
  ]
}

Node.js v24.1.0`,
  ],
  'Node whose port is taken': [
    'Error: listen EADDRINUSE: address already in use :::3000',
    `Error: listen EADDRINUSE: address already in use :::3000
    at Server.setupListenHandle [as _listen2] (node:net:1817:16)
    at process.processTicksAndRejections (node:internal/process/task_queues:82:21) {
  code: 'EADDRINUSE',
  errno: -98,
  syscall: 'listen',
  address: '::',
  port: 3000
}`,
  ],
  Python: [
    "ModuleNotFoundError: No module named 'tides'",
    `Traceback (most recent call last):
  File "/srv/tides.py", line 1, in <module>
    import tides
ModuleNotFoundError: No module named 'tides'`,
  ],
  'a Python program that wants an argument': [
    'tides: error: the following arguments are required: --port',
    `usage: tides [-h] --port PORT
tides: error: the following arguments are required: --port`,
  ],
  npx: [
    "npm error 404  'tides-server@*' is not in this registry.",
    `npm error code E404
npm error 404 Not Found - GET https://registry.example/tides-server - Not found
npm error 404
npm error 404  'tides-server@*' is not in this registry.
npm error 404
npm error A complete log of this run can be found in: /home/me/.npm/_logs/debug-0.log`,
  ],
  uvx: [
    '╰─▶ Because tides was not found in the package registry, your requirements are unsatisfiable.',
    `  × No solution found when resolving tool dependencies:
  ╰─▶ Because tides was not found in the package registry, your requirements are unsatisfiable.
hint: Did you mean tide?`,
  ],
  Docker: [
    'docker: Error response from daemon: pull access denied for tides.',
    `Unable to find image 'tides:latest' locally
docker: Error response from daemon: pull access denied for tides.
See 'docker run --help'.`,
  ],
  Rust: [
    'the port is taken',
    `thread 'main' panicked at src/main.rs:2:5:
the port is taken
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace`,
  ],
  Go: [
    'panic: no configuration',
    `panic: no configuration

goroutine 1 [running]:
main.main()
	/srv/tides/main.go:5 +0x1d
exit status 2`,
  ],
  Java: [
    'Caused by: java.net.BindException: Address already in use',
    `Exception in thread "main" java.lang.IllegalStateException: not started
	at Tides.main(Tides.java:3)
Caused by: java.net.BindException: Address already in use
	at java.base/sun.nio.ch.Net.bind0(Native Method)
	... 12 more`,
  ],
  Bun: [
    'error: Cannot find module "tides" from "/srv/index.ts"',
    `error: Cannot find module "tides" from "/srv/index.ts"

Bun v1.2.3 (Linux x64)`,
  ],
  'a program with a sentence of its own': [
    'TIDES_TOKEN is missing.',
    `[error] The first try failed.
TIDES_TOKEN is missing.`,
  ],
  'hints alone': ['Node.js v20.11.1', '\nNode.js v20.11.1\n'],
  nothing: ['', '\n'],
};

test.for(Object.entries(outputs))('the reason is told: %s', ([, [reason, output]]) => {
  expect(findReason(output.split('\n'))).toBe(reason);
});

test('of long outputs the end is kept', () => {
  const log = new ServerLog();
  expect(log.reason).toBe('');
  log.add('Error: the first');
  for (let frame = 0; frame < 100; frame++) log.add(`    at frame${frame} (/srv/x.js:1:1)`);
  expect(log.reason).toBe('at frame99 (/srv/x.js:1:1)');
});
