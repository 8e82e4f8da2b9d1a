/* A host for tests that kill it: runs the commands `front` and `back` of commands.json in a folder. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NodeProcesses } from '../../src/extension/node/processes/nodeProcesses.ts';

const root = process.argv[2]!;
const { front, back } = JSON.parse(readFileSync(join(root, 'commands.json'), 'utf8'));
const processes = new NodeProcesses();
processes.start({ command: front, cwd: root });
processes.start({ command: back, cwd: root, background: true, outputFile: join(root, 'back.log') });
