/* What a model that was talked into it, or a workspace that was made for it, would try. */

import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { allTests } from '../../support/eachTest.ts';
import { PolicyWorld, reasonOf } from '../../support/policyWorld.ts';

const world = allTests(() =>
  PolicyWorld.make({
    files: {
      'workspace/README.md': 'x',
      'workspace/src/a.ts': 'x',
      'workspace/src/b.md': 'x',
      'workspace/.env': 'KEY=1',
      'workspace/config/deep/.env': 'KEY=1',
      'workspace/.ssh/config': 'x',
      'workspace/.git/config': 'x',
      'workspace/keys/server.pem': 'x',
      'workspace/visible/.env': 'KEY=1',
      'workspace/visible/a.ts': 'x',
      'outside/secret': 's',
      'outside/dir/y': 'y',
    },
  }),
);
beforeAll(async () => {
  await world.link('../outside/dir', 'workspace/link-out');
  await world.link('.env', 'workspace/of=README.md');
  await mkdir(join(world.workspace, 'round'));
  await symlink('..', join(world.workspace, 'round', 'up'));
});

const attacks: Readonly<Record<string, readonly string[]>> = {
  'an option is taken for one with a value, so that a file passes unseen': [
    'grep --rege=. .env',
    'comm -1 .env README.md',
    'join -i .env README.md',
    'fold -s .env',
    'fmt -s .env',
    'od -s .env',
  ],
  'a file is printed in messages about it': [
    'strings @.env',
    'du --files0-from=.env',
    'du --files0-from .env',
    'who .env',
  ],
  'variables with keys are printed': [
    'ps -auxe',
    'ps -o environ',
    'ps -o pid,environ',
    'echo $AWS_SECRET_ACCESS_KEY',
    'printf %s "$GITHUB_TOKEN"',
    'cat <<< "$OPENAI_API_KEY"',
    'git config --list',
    'git config --get http.https://github.com/.extraheader',
  ],
  'text is evaluated where it only seems to be tested or computed': [
    "x=-v; test $x 'a[$(touch M)]'",
    'x=-v; y=z; test "$x" "$y"',
    "bash -c 'echo $(($1))' _ 'a[$(touch M)]'",
    "bash -c 'echo $(($@))' _ 'a[$(touch M)]'",
    'zsh -c \'[ "$x" -eq 1 ]\'',
    "zsh -c 'ls'",
  ],
  'a variable brings the command along': [
    "x='5 touch M'; timeout $x ls",
    "x='5 touch M'; nice -n $x ls",
    "x='5 touch M'; ls | xargs -n $x ls",
    "x='1 touch M'; env -u $x ls",
  ],
  'a command runs in another folder': ['env -C / cat etc/passwd', 'cd link-out && git status', 'cd && rg x'],
  'another machine is asked': ['tar -tf evil.example:x', 'tar tf evil.example:/x'],
  'what the system takes for another path': [
    'cat link-out/../secret',
    'cat src/../link-out/../secret',
    'cat link-o*/../secret',
    'cat link-o*/y',
    'cat lin?-out/y',
    'cat of=README.md',
  ],
  'a pattern stands for a secret': [
    'cat .en[[:alpha:]]',
    'cat .en[]v]',
    'cat .ss*/config',
    'cat .gi*/config',
    'cat */*.pem',
    'cat key*/*',
  ],
  'git prints what a path of its own names': [
    'git show HEAD:.env',
    'git show :0:.env',
    'git cat-file -p HEAD:config/.env',
    'git log -L1,5:.env',
    'git grep --no-index KEY',
    'git grep --untracked KEY',
    'git diff --no-index src config',
  ],
  'a file of the workspace decides which program answers': [
    'yarn --version',
    'pnpm --version',
    'pnpm ls',
    'cargo --version',
    'rustc --version',
    'go version',
    'mvn --version',
    'dotnet --version',
  ],
  'a folder is read with the secrets in it': [
    'grep -r x .',
    'grep -rn x',
    'grep --recursive x config',
    'grep --recur x',
    'egrep -R x config',
    'diff -r config src',
    'rg x',
    'rg x keys',
    'rg --hidden x visible',
    'rg -uuu x visible',
    'rg -. x visible',
    'rg -g .env x visible',
    'rg --no-ignore x visible',
    'rg --type-add e:.env -te x visible',
  ],
};

for (const [why, commands] of Object.entries(attacks)) {
  describe(why, () => {
    test.each(commands)('%s asks', async command => {
      const verdict = await world.run(command);
      expect({ kind: verdict.kind, reason: reasonOf(verdict) }).toEqual({
        kind: 'ask',
        reason: expect.stringMatching(/\S/),
      });
    });
  });
}

describe('and what is harmless still runs unasked', () => {
  test.each([
    'grep -r x src',
    'grep -rn x round/up/src',
    'rg x src',
    'rg -n x visible',
    "rg -g '!dist' x visible",
    'ls | rg x',
    'cat src/*.ts',
    'cat src/*',
    'wc -l s*/*.md',
    'cat src/../README.md',
    'test -f "$x" && echo yes',
    '[ "$x" = y ]',
    '[ $? -eq 0 ] && echo fine',
    'timeout "$x" ls',
    'echo "${API_KEY:+set}"',
    'git config --get user.name',
    'git show HEAD:src/a.ts',
    'git diff -- src',
    'ps -ef',
    'ps -o pid,cmd',
    'fold -w 80 README.md',
    'od -c README.md',
    "find . -name '*.ts'",
    'tree src',
    'git status',
  ])('%s', async command => {
    expect(await world.run(command)).toEqual({ kind: 'allow', reads: true });
  });
});

test('in a folder with too much to look through, a search asks', async () => {
  const many = await PolicyWorld.make();
  for (let at = 0; at < 420; at++) await mkdir(join(many.workspace, 'many', `${at}`), { recursive: true });
  const verdict = await many.run('grep -r x many');
  expect([verdict.kind, reasonOf(verdict)]).toEqual(['ask', expect.stringContaining('too many files')]);
  await many.dispose();
});

test('what installs or starts anything is never allowed for always by its first words', async () => {
  for (const command of [
    'npm install left-pad',
    'npm i x',
    'pip install x',
    'python3 -m pip install x',
    'docker run x',
    'podman exec x ls',
    'flock x ls',
  ]) {
    expect(await world.run(command), command).toMatchObject({ kind: 'ask', always: [] });
  }
  const asked = await world.run('npm install');
  const offer = asked.kind === 'ask' ? asked.always[0] : undefined;
  expect(offer).toBeDefined();
  if (offer) await world.policy.remember(offer);
  expect(await world.run('npm install')).toEqual({ kind: 'allow' });
  expect(await world.run('npm install left-pad')).toMatchObject({ kind: 'ask' });
});

test('a setting about every command counts for every command', async () => {
  const strict = await PolicyWorld.make({
    files: { 'home/.gemini/settings.json': JSON.stringify({ tools: { exclude: ['run_shell_command(*)'] } }) },
  });
  expect(await strict.run('ls')).toMatchObject({ kind: 'deny' });
  await strict.dispose();
});

test('names of secrets count in every way of writing that a file system may take for the same', async () => {
  for (const path of [
    '.ENV',
    '.env.',
    '.env ',
    '.\uFF45nv',
    '\uFF0Eenv',
    '.\u017Fsh/config',
    'a/.Env.Local',
  ]) {
    expect(await world.read(path), path).toMatchObject({ kind: 'ask' });
  }
});
