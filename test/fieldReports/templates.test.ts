import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { text } from '../support/geminiAnswers.ts';
import { lastPrompt } from '../support/geminiServer.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import type { WorldCase } from './report.ts';

interface TemplateCase extends WorldCase {
  readonly file: string;
  readonly template: string;
  readonly given: string;
  readonly sent: string;
}

const cases: readonly TemplateCase[] = [
  {
    title: 'arguments with dollar signs are not read again',
    source: 'report',
    file: 'go.md',
    template: 'Price: $ARGUMENTS',
    given: '$100 $1 $&',
    sent: 'Price: $100 $1 $&',
  },
  {
    title: 'every mention of the arguments is filled',
    source: 'report',
    file: 'go.md',
    template: '$ARGUMENTS and $ARGUMENTS',
    given: 'a',
    sent: 'a and a',
  },
  {
    title: 'words by number, quoted ones whole',
    source: 'report',
    file: 'go.md',
    template: '<$1> <$2>',
    given: '"two words" b',
    sent: '<two words> <b>',
  },
  {
    title: 'arguments reach a template that does not name them',
    source: 'report',
    file: 'go.md',
    template: 'Check it.',
    given: 'src',
    sent: 'src',
  },
  {
    title: 'frontmatter stays out',
    source: 'report',
    file: 'go.md',
    template: '---\ndescription: x\nallowed-tools: Bash(git:*)\n---\nDo it: $ARGUMENTS',
    given: 'now',
    sent: 'Do it: now',
  },
  {
    title: 'frontmatter that is no YAML',
    source: 'report',
    file: 'go.md',
    template: '---\ndescription: a: b [c]\nargument-hint: [x] [y]\n---\nDo it: $ARGUMENTS',
    given: 'now',
    sent: 'Do it: now',
  },
  {
    title: 'lines of Windows and a byte-order mark',
    source: 'report',
    file: 'go.md',
    template: '\ufeff---\r\ndescription: x\r\n---\r\nDo it: $ARGUMENTS',
    given: 'now',
    sent: 'Do it: now',
  },
  {
    title: 'braces in arguments are not read again',
    source: 'report',
    file: 'go.toml',
    template: 'prompt = "Say {{args}}"',
    given: '{{args}} !{rm x} @{a}',
    sent: 'Say {{args}} !{rm x} @{a}',
  },
];

describe('a command of a file', () => {
  const world = eachTest(() => HeadlessWorld.make());

  it.each(cases)('$title', async ({ file, template, given, sent }) => {
    const home = join(world.folder, 'home');
    const folder = join(home, file.endsWith('.toml') ? '.gemini' : '.claude', 'commands');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, file), template);
    world.server.script([text('Done.')]);
    const { code, error } = await world.run(['--prompt', `/go ${given}`], {
      env: { HOME: home, USERPROFILE: home },
    });
    expect(code, error).toBe(0);
    const prompt = lastPrompt(world.server.requests[0]!);
    expect(prompt).toContain(sent);
    expect(prompt).not.toContain('description:');
  });

  it('quotes arguments for the shell, whatever they hold', async () => {
    const home = join(world.folder, 'home');
    const folder = join(home, '.gemini', 'commands');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'go.toml'), "prompt = 'Said: !{echo {{args}}}'");
    world.server.script([text('Done.')]);
    const given = `it's "x"; touch made $(touch made2)`;
    const { error } = await world.run(['--prompt', `/go ${given}`, '--approval-mode', 'yolo'], {
      env: { HOME: home, USERPROFILE: home },
    });
    expect(lastPrompt(world.server.requests[0]!), error).toContain(`\n${given}\n`);
  });

  it.each([
    ['no session', ['--resume', 'latest', '--prompt', 'go']],
    ['an unknown session', ['--resume', '196c7382-f24e-4945-9b99-7e511fe6bc35', '--prompt', 'go']],
  ])('is no matter for a resume of %s, which ends with one sentence', async (_what, args) => {
    const { code, out, error } = await world.run(args);
    expect(code).not.toBe(0);
    expect(out).toBe('');
    expect(error.trim().split('\n')).toHaveLength(1);
  });
});
