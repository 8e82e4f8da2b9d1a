import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Hook } from '../../src/extension/core/hooks/hook.ts';
import { parseAnswer } from '../../src/extension/core/hooks/parseAnswer.ts';
import { printedObjects } from '../../src/extension/core/hooks/printedObjects.ts';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import { fc } from '../support/properties.ts';
import type { WorldCase } from './report.ts';

interface AnswerCase extends WorldCase {
  readonly stdout: string;
  readonly stderr?: string;
  readonly code?: number;
  /** `agrees`: the call runs. */
  readonly outcome: 'block' | 'ask' | 'stop' | 'agrees' | 'warning';
  readonly reason?: string;
}

const no = '{"decision":"deny","reason":"NO"}';
const log = '{"type":"message","message":"an agent was detected"}';

const cases: readonly AnswerCase[] = [
  {
    title: 'between log objects',
    source: 'report',
    stdout: `${log}\n${log}\n${no}\n`,
    outcome: 'block',
    reason: 'NO',
  },
  {
    title: 'before a log object',
    source: 'report',
    stdout: `${no}\n${log}\n`,
    outcome: 'block',
    reason: 'NO',
  },
  { title: 'before text', source: 'report', stdout: `${no}\ndone\n`, outcome: 'block', reason: 'NO' },
  {
    title: 'between texts',
    source: 'report',
    stdout: `Now using node\n${no}\nbye`,
    outcome: 'block',
    reason: 'NO',
  },
  {
    title: 'behind the reset of a color',
    source: 'report',
    stdout: `\u001b[0m${no}\n`,
    outcome: 'block',
    reason: 'NO',
  },
  {
    title: 'behind a byte-order mark of another encoding',
    source: 'report',
    stdout: `\uFFFD\uFFFD${no}`,
    outcome: 'block',
    reason: 'NO',
  },
  { title: 'in a list', source: 'report', stdout: `[${no}]`, outcome: 'block', reason: 'NO' },
  {
    title: 'in a fence',
    source: 'report',
    stdout: `\`\`\`json\n${no}\n\`\`\`\n`,
    outcome: 'block',
    reason: 'NO',
  },
  {
    title: 'over several lines behind text',
    source: 'report',
    stdout: `hi\n${JSON.stringify(JSON.parse(no), undefined, 2)}\nbye`,
    outcome: 'block',
    reason: 'NO',
  },
  {
    title: 'on standard error while the other stream has a log',
    source: 'report',
    stdout: log,
    stderr: no,
    outcome: 'block',
    reason: 'NO',
  },
  {
    title: 'before one that agrees',
    source: 'trial',
    stdout: `${no}\n{"decision":"allow"}`,
    outcome: 'block',
    reason: 'NO',
  },
  {
    title: 'in capitals',
    source: 'report',
    stdout: '{"decision":" DENY","reason":"NO"}',
    outcome: 'block',
    reason: 'NO',
  },
  {
    title: 'by a word of no contract',
    source: 'report',
    stdout: '{"decision":"reject","reason":"NO"}',
    outcome: 'ask',
    reason: 'NO',
  },
  {
    title: 'by a truth value as text',
    source: 'report',
    stdout: '{"continue":"False","stopReason":"NO"}',
    outcome: 'stop',
  },
  {
    title: 'by code 2 with an agreement on one stream and the reason on the other',
    source: 'report',
    stdout: '{"decision":"allow"}',
    stderr: 'NO',
    code: 2,
    outcome: 'block',
    reason: 'NO',
  },
  {
    title: 'by code 2 with chatter on one stream and the reason on the other',
    source: 'report',
    stdout: 'checking',
    stderr: 'NO',
    code: 2,
    outcome: 'block',
    reason: 'NO',
  },
  {
    title: 'by code 2 with an ask',
    source: 'trial',
    stdout: '{"decision":"ask","reason":"NO"}',
    code: 2,
    outcome: 'block',
    reason: 'NO',
  },
  {
    title: 'in the quotes of another language is no objection, and reported',
    source: 'report',
    stdout: "{'decision': 'deny'}",
    outcome: 'warning',
  },
  { title: 'within a line is a text', source: 'trial', stdout: `wrote ${no}`, outcome: 'agrees' },
  {
    title: 'that agrees behind a log',
    source: 'report',
    stdout: `${log}\n{"decision":"approve"}`,
    outcome: 'agrees',
  },
];

describe('an objection of a hook', () => {
  const hook = { event: 'BeforeTool', eventName: 'BeforeTool', dialect: 'gemini' } as unknown as Hook;
  const answer = ({ stdout, stderr = '', code = 0 }: Pick<AnswerCase, 'stdout' | 'stderr' | 'code'>) =>
    parseAnswer(hook, { kind: 'ended', code, stdout, stderr });

  it.each(cases)('$title', each => {
    const { decision, stop, reason, warning } = answer(each);
    const outcome = stop ? 'stop' : (decision ?? (warning === undefined ? 'agrees' : 'warning'));
    expect(outcome).toBe(each.outcome);
    if (each.reason !== undefined) expect(reason?.()).toBe(each.reason);
  });

  it('holds among any lines that are no answer', () => {
    const line = fc
      .string({ unit: 'grapheme' })
      .filter(each => !/[\r\b\u001b]/.test(each))
      .map(each => each.replace(/^\s*["{[]+/, ''));
    fc.assert(
      fc.property(fc.array(line), fc.array(line), (before, after) => {
        const stdout = [...before, no, ...after].join('\n');
        expect(answer({ stdout }).decision).toBe('block');
      }),
    );
  });

  it('is looked for in bounds', () => {
    expect(printedObjects(`x\n${'{\n'.repeat(200_000)}`)).toEqual([]);
    expect(printedObjects(`x\n${'{ {\n'.repeat(50_000)}${'}}'.repeat(50_000)}`)).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('a guard whose answer is no JSON', () => {
  const world = eachTest(() => HeadlessWorld.make());

  it.each([
    ['objects', true],
    ['does not where it is no guard, and is reported', undefined],
  ])('%s', async (_what, guard) => {
    const settings = join(world.folder, 'settings.json');
    const hook = { type: 'command', command: `echo "{'decision': 'deny'}"`, guard };
    await writeFile(settings, JSON.stringify({ hooks: { BeforeTool: [{ hooks: [hook] }] } }));
    world.server.script([call('write_file', { file_path: 'a.txt', content: 'a\n' })], [text('Done.')]);
    const args = ['--prompt', 'go', '--approval-mode', 'yolo', '--settings', settings];
    const { code, error } = await world.run(args);
    expect(code).toBe(0);
    expect(error).toContain('looks like JSON but is not valid');
    const written = access(join(world.workspace, 'a.txt')).then(
      () => true,
      () => false,
    );
    expect(await written).toBe(guard === undefined);
  });

  it('objects behind more output than is kept', async () => {
    const settings = join(world.folder, 'settings.json');
    const command = `head -c 6000000 /dev/zero | tr '\\0' x; echo; echo '${no}'`;
    await writeFile(
      settings,
      JSON.stringify({ hooks: { BeforeTool: [{ hooks: [{ type: 'command', command }] }] } }),
    );
    world.server.script([call('write_file', { file_path: 'a.txt', content: 'a\n' })], [text('Done.')]);
    const args = ['--prompt', 'go', '--approval-mode', 'yolo', '--settings', settings];
    expect((await world.run(args)).code).toBe(0);
    await expect(access(join(world.workspace, 'a.txt'))).rejects.toThrow('ENOENT');
  });
});
