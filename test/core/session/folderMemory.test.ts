import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeDiskWorld, type ScriptedCall } from '../../support/diskWorld.ts';
import { eachTest } from '../../support/eachTest.ts';

describe('memory of a folder, in a session over real files', () => {
  const world = eachTest(() => makeDiskWorld());
  beforeEach(async () => {
    for (const name of ['one', 'two']) {
      await mkdir(join(world.workspace, name));
      await writeFile(join(world.workspace, name, 'AGENTS.md'), `Rules of ${name}: @rules.md`);
      await writeFile(join(world.workspace, name, 'rules.md'), `be ${name}`);
      await writeFile(join(world.workspace, name, 'a.txt'), 'old text\n');
    }
  });

  /** How often the model has been told of a folder so far. */
  const timesReported = (name: string) => {
    const parts = world.model.requests.at(-1)?.messages.flatMap(message => message.parts) ?? [];
    const results = parts.flatMap(part => (part.kind === 'result' ? [part.text] : []));
    const block = new RegExp(`<memory key="[\\w-]+" file="[^"]*AGENTS.md"[^>]*>\\nRules of ${name}: `, 'g');
    const reported = results.join('\n');
    if (reported.includes(`Rules of ${name}`)) expect(reported).toContain(`be ${name}`);
    return reported.match(block)?.length ?? 0;
  };

  const calls: readonly ScriptedCall[] = [
    ['read_file', { file_path: 'one/a.txt' }],
    ['list_directory', { dir_path: 'one' }],
    ['read_many_files', { include: ['one/*.txt'] }],
    ['write_file', { file_path: 'one/b.txt', content: 'new\n' }],
    ['replace', { file_path: 'one/a.txt', old_string: 'old text', new_string: 'new text' }],
  ];

  for (const call of calls) {
    test(`ends the result of the first ${call[0]} there, and of no other`, async () => {
      await world.turn('Work', call, ['read_file', { file_path: 'one/a.txt' }]);
      expect(timesReported('one')).toBe(1);
      expect(timesReported('two')).toBe(0);
      await world.turn(
        'Again',
        ['list_directory', { dir_path: 'one' }],
        ['read_file', { file_path: 'two/a.txt' }],
      );
      expect(timesReported('one')).toBe(1);
      expect(timesReported('two')).toBe(1);
      expect(world.session.environmentContext.memory.ofFolders).toHaveLength(2);
    });
  }

  test('does not come with a call that failed', async () => {
    await world.turn('Read', ['read_file', { file_path: 'one/none.txt' }]);
    expect(timesReported('one')).toBe(0);
  });

  test('comes again after the conversation went back to before it', async () => {
    await world.turn('First');
    await world.turn('Second', ['read_file', { file_path: 'one/a.txt' }]);
    expect(timesReported('one')).toBe(1);
    const turnId = world.events.findLast(event => event.type === 'turn.started')!.turnId;
    await world.session.rewind({ kind: 'turn', turnId }, 'conversation');
    await world.turn('Third', ['read_file', { file_path: 'one/a.txt' }]);
    expect(timesReported('one')).toBe(1);
  });
});
