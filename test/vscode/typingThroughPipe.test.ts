import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { NodeProcesses } from '../../src/extension/node/processes/nodeProcesses.ts';
import { listTree } from '../../src/extension/node/processes/processTable.ts';
import { makeInputForwarder } from '../../src/extension/vscode/features/typing.ts';
import { eachTest } from '../support/eachTest.ts';

describe.skipIf(process.platform === 'win32')('where no terminal can be had, a tab types into a pipe', () => {
  const processes = eachTest(() => new NodeProcesses(process.env, undefined, () => undefined));

  function open(command: string) {
    const running = processes.start({ command, cwd: tmpdir(), answerable: true });
    const seen = { output: '', shown: '' };
    running.onDidWrite(text => {
      seen.output += text;
    });
    const type = makeInputForwarder(
      running.keyboard!,
      text => {
        seen.shown += text;
      },
      () => void running.stop(),
    );
    const says = (text: string) => expect.poll(() => seen.output).toContain(text);
    return { running, seen, type, says };
  }

  test('which stays open while the user thinks, line after line, until they end it', async () => {
    const { running, seen, type, says } = open('read a; echo "first $a"; cat; echo "over"');
    expect(running.keyboard?.noTerminal).toMatch(/plain pipe/);
    for (const key of ['o', 'm', '\x7f', 'n', 'e', '\r']) type(key);
    await says('first one');
    type('two\r');
    await says('two');
    type('three\r');
    await says('three');
    type('\x04');
    expect((await running.exit).code).toBe(0);
    expect(seen.output).toBe('first one\ntwo\nthree\nover\n');
    expect(seen.shown).toBe('om\b \bne\r\ntwo\r\nthree\r\n');
    // Nobody reads any more.
    type('four\r');
  });

  test('whose Ctrl+C stops the command and all that it started', async () => {
    const { running, type, says } = open('sleep 300 & echo ready; cat');
    await says('ready');
    type('\x03');
    await running.exit;
    expect(await listTree(new Set([running.pid!]))).toEqual([]);
  });
});
