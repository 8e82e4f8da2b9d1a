import { describe, expect, it, test } from 'vitest';
import { findPrefixes } from '../../src/extension/platform/patterns/patternPrefixes.ts';
import { PolicyWorld } from '../support/policyWorld.ts';
import { fc } from '../support/properties.ts';
import type { WorldCase } from './report.ts';

/** The title is the command line; it is classified in the mode that allows all. */
interface PatternCase extends WorldCase {
  /** Condition of a rule that denies; absent key: `commandRegex`. */
  readonly args?: string;
  readonly regex?: string;
  readonly kind: 'deny' | 'ask' | 'allow';
}

const push = '"command":"git push';

const cases: readonly PatternCase[] = [
  { title: 'git push origin', source: 'peer', args: push, kind: 'deny' },
  { title: 'git -C . push origin', source: 'trial', args: push, kind: 'deny' },
  { title: '/usr/lib/git-core/git-push', source: 'trial', args: push, kind: 'deny' },
  { title: "g'i't pu\\sh", source: 'trial', args: push, kind: 'deny' },
  { title: 'ls && git --no-pager push', source: 'trial', args: push, kind: 'deny' },
  { title: "bash -c 'git -c a.b=c push'", source: 'trial', args: push, kind: 'deny' },
  { title: 'rm -f -r x', source: 'trial', args: 'rm -rf', kind: 'deny' },
  { title: 'rm --recursive --force x', source: 'trial', args: '"command":"rm -(rf|fr)', kind: 'deny' },
  { title: 'python3 -m pip install x', source: 'trial', args: '"command":"pip install', kind: 'deny' },
  { title: 'git $SUB origin', source: 'trial', args: push, kind: 'ask' },
  { title: '$T push', source: 'trial', args: push, kind: 'ask' },
  { title: 'ls | xargs git', source: 'trial', args: push, kind: 'ask' },
  { title: 'git stash push', source: 'trial', args: push, kind: 'allow' },
  { title: 'git -C push status', source: 'trial', args: push, kind: 'allow' },
  { title: 'git commit -m "$M"', source: 'trial', args: push, kind: 'allow' },
  { title: 'git $SUB origin', source: 'trial', args: 'push', kind: 'ask' },
  { title: 'git commit -m "$M"', source: 'trial', args: 'rm -rf', kind: 'allow' },
  { title: 'git $SUB -m "$M"', source: 'trial', args: 'rm -rf', kind: 'ask' },
  { title: 'git log', source: 'trial', args: 'push', kind: 'allow' },
  { title: 'git add *.ts', source: 'trial', args: 'push', kind: 'allow' },
  { title: 'cat "$F"', source: 'trial', args: '"file_path":"[^"]*secret', kind: 'allow' },
  { title: 'git -C . push', source: 'trial', regex: '(git|hg) push', kind: 'deny' },
  { title: 'hg push', source: 'trial', regex: '(git|hg) push', kind: 'deny' },
  { title: 'git $SUB', source: 'trial', regex: '(git|hg) push', kind: 'ask' },
  { title: 'hg "$@"', source: 'trial', regex: '(?:git|hg)\\s+push\\b', kind: 'ask' },
  { title: 'git $SUB', source: 'trial', regex: 'git push|hg push', kind: 'ask' },
  { title: 'hg $SUB', source: 'trial', regex: 'git push|hg push', kind: 'ask' },
  { title: 'git $SUB', source: 'trial', regex: '(sudo )?git push', kind: 'ask' },
  { title: 'git $SUB', source: 'trial', regex: '(?<program>git|hg) push', kind: 'ask' },
  { title: 'git $SUB', source: 'trial', regex: '[gh][ig]t? push', kind: 'ask' },
  { title: 'git $SUB', source: 'trial', regex: '.*push', kind: 'ask' },
  { title: 'svn $SUB', source: 'trial', regex: '(git|hg) push', kind: 'allow' },
  { title: 'git commit -m "$M"', source: 'trial', regex: '(git|hg) push', kind: 'allow' },
  { title: 'git add *.ts', source: 'trial', regex: '.*push', kind: 'allow' },
];

async function worldWith(condition: string, decision: string): Promise<PolicyWorld> {
  const text = `[[rule]]\ntoolName = "run_shell_command"\npriority = 200\n${condition}\ndecision = "${decision}"\n`;
  return PolicyWorld.make({ files: { 'home/.folio/policies/mine.toml': text } });
}

const conditionOf = ({ args, regex }: PatternCase) =>
  args === undefined ? `commandRegex = ${JSON.stringify(regex)}` : `argsPattern = ${JSON.stringify(args)}`;

describe('a pattern of a rule sees through options, names and what is known at run time', () => {
  it.each(cases)('$kind: $title ($args$regex)', async each => {
    const world = await worldWith(conditionOf(each), 'deny');
    expect(await world.run(each.title, 'yolo')).toMatchObject({ kind: each.kind });
    await world.dispose();
  });

  it.each(['git -C .. push', '/tmp/git push', 'git $SUB'])('a rule that allows does not: %s', async line => {
    const world = await worldWith(`argsPattern = ${JSON.stringify(push)}`, 'allow');
    expect(await world.run(line)).toMatchObject({ kind: 'ask' });
    expect(await world.run('git push')).toMatchObject({ kind: 'allow' });
    await world.dispose();
  });
});

/** A regular expression, with a text that it matches. */
const matched = fc.letrec<{ readonly all: readonly [string, string] }>(tie => ({
  all: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<readonly [string, string]>(
      ['git', 'git'],
      ['\\s+', ' '],
      [' ', ' '],
      ['[a-c]', 'b'],
      ['.*', 'any'],
      ['\\.', '.'],
      ['\\w', 'w'],
      ['x?', ''],
      ['y+', 'yy'],
      ['z{0,2}', ''],
      ['(?!q)', ''],
      ['\\b', ''],
      ['[)|]', '|'],
    ),
    fc.tuple(tie('all'), tie('all')).map(([[a, x], [b, y]]) => [a + b, x + y] as const),
    fc.tuple(tie('all'), tie('all')).map(([[a], [b, y]]) => [`(${a}|${b})`, y] as const),
    fc.tuple(tie('all'), tie('all')).map(([[a, x], [b]]) => [`(?:${a}|${b})`, x] as const),
    tie('all').map(([a]) => [`(${a})?`, ''] as const),
    tie('all').map(([a, x]) => [`(${a})+`, x + x] as const),
  ),
})).all;

test('each text that a pattern matches begins with one of its heads', () => {
  fc.assert(
    fc.property(matched, ([source, text]) => {
      const blanks = (each: string) => each.replace(/\s+/g, ' ');
      expect(findPrefixes(source).some(head => blanks(text).startsWith(blanks(head)))).toBe(true);
    }),
  );
});
