import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { WorkspacePaths } from '../../src/extension/core/paths.ts';
import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import { NodeProcesses } from '../../src/extension/node/processes/nodeProcesses.ts';
import { runShellCommandTool } from '../../src/extension/tools/shell/runShellCommand.ts';
import { eachTest } from '../support/eachTest.ts';
import { fc } from '../support/properties.ts';
import { PushedClock } from '../support/pushedClock.ts';
import { RecordingCall } from '../support/recordingCall.ts';
import { runSize } from '../support/runSize.ts';

const limit = { timeout: 600_000 };

describe.skipIf(process.platform === 'win32')('what goes through a terminal', () => {
  const terminals = eachTest(() => new NodeProcesses());
  const pipes = eachTest(() => new NodeProcesses(process.env, undefined, () => undefined));

  /** A gigabyte in the large run size. */
  const lines = runSize({ test: 500_000, prove: 112_000_000 });

  test.each([
    ['a terminal', () => terminals, 'stty -opost; '],
    ['a pipe', () => pipes, ''],
  ] as const)('a flood through %s is whole and exact, in bounded memory', limit, async (_name, of, first) => {
    const wanted = execFileSync('bash', ['-c', `seq 1 ${lines} | sha256sum`], { encoding: 'utf8' }).slice(
      0,
      64,
    );
    const command = `${first}seq 1 ${lines}`;
    const running = of().start({ command, cwd: tmpdir(), answerable: true });
    const hash = createHash('sha256');
    const before = process.memoryUsage().rss;
    let pieces = 0;
    let most = 0;
    running.onDidWrite(text => {
      hash.update(text);
      pieces += 1;
      if (pieces % 1000 === 0) most = Math.max(most, process.memoryUsage().rss - before);
    });
    expect((await running.exit).code).toBe(0);
    expect(hash.digest('hex')).toBe(wanted);
    expect(most).toBeLessThan(400_000_000);
  });

  test('passwords that are typed with echo off come to neither the model nor the card', limit, async () => {
    const word = fc.stringMatching(/^[A-Za-z0-9!#%+,./:;<>@_~-]{8,24}$/);
    const runs = { numRuns: runSize({ test: 3, prove: 60 }) };
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 8 }), async words => {
        const seen = await typeInto(terminals, words);
        for (const each of words) expect(seen).not.toContain(each);
        for (const each of words) expect(seen).toContain(`${each.length} letters`);
      }),
      runs,
    );
  });
});

/** Everything that leaves a command which asks for these words, one after the other. */
async function typeInto(processes: NodeProcesses, words: readonly string[]): Promise<string> {
  const call = await RecordingCall.make();
  try {
    const folder = await realpath(call.folder);
    const files = new NodeFileSystem();
    const tool = runShellCommandTool({
      processes,
      files,
      paths: new WorkspacePaths(files, [folder]),
      clock: new PushedClock(),
      isAttended: true,
      inactivityTimeout: () => 300,
      outputLimit: () => 40_000,
      outputFolder: () => folder,
    });
    const subscription = processes.onDidStart(running => {
      let text = '';
      let answered = 0;
      running.onDidWrite(piece => {
        text += piece;
        // The prompt follows once echo is off.
        for (; text.includes(`Password ${answered + 1}: `); answered += 1)
          running.keyboard?.write(`${words[answered]}\r`);
      });
    });
    const indexes = words.map((_word, index) => index + 1).join(' ');
    const ask = 'stty -echo; printf "Password $i: "; IFS= read -r x; stty echo; echo; echo "${#x} letters"';
    const command = `for i in ${indexes}; do ${ask}; done`;
    const result = await call.use(tool, { command, interactive: true });
    subscription.dispose();
    return JSON.stringify(result) + call.live + call.saved.join('');
  } finally {
    await call.dispose();
  }
}
