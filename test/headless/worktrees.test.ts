import { access, mkdir, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { git, initRepository } from '../support/gitRepository.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

const lines = (changes: Readonly<Record<number, string>> = {}) =>
  `${Array.from({ length: 12 }, (_, index) => changes[index + 1] ?? `line ${index + 1}`).join('\n')}\n`;

/** What a server says after a push. */
const greeting = `#!/bin/sh
echo "Create a pull request for 'topic' on GitHub by visiting:"
echo "     https://github.test/shop/pull/new/topic"
`;

/** A gh that refuses what the real one refuses. */
const gh = `#!/bin/sh
[ "$1 $2" = "pr create" ] || { echo "unknown command \\"$1\\" for \\"gh\\"" >&2; exit 1; }
shift 2
while [ $# -gt 0 ]; do
  case $1 in
    --head) head=$2 ;;
    --title) title=$2 ;;
    --body) body=$2 ;;
    --base) base=$2 ;;
    *) echo "unknown flag: $1" >&2; exit 1 ;;
  esac
  shift 2
done
[ -n "$GH_STANDIN" ] || { echo "To get started with GitHub CLI, please run:  gh auth login" >&2; exit 4; }
[ -n "$title" ] && [ -n "$body" ] || { echo "must provide --title and --body when not running interactively" >&2; exit 1; }
git ls-remote --exit-code --heads origin "$head" > /dev/null ||
  { echo "aborted: you must first push the current branch to a remote, or use the --head flag" >&2; exit 1; }
printf '%s to %s: %s\\n%s\\n' "$head" "$base" "$title" "$body" > "$GH_REQUEST"
echo "https://github.test/shop/pull/7"
`;

/** A glab that refuses what the real one refuses. */
const glab = `#!/bin/sh
[ "$1 $2" = "mr create" ] || { echo "Unknown command: $1" >&2; exit 1; }
shift 2
while [ $# -gt 0 ]; do
  case $1 in
    --yes) yes=1; shift; continue ;;
    --source-branch) head=$2 ;;
    --title) title=$2 ;;
    --description) body=$2 ;;
    --target-branch) base=$2 ;;
    *) echo "Unknown flag: $1" >&2; exit 1 ;;
  esac
  shift 2
done
[ -n "$yes" ] || { echo "--fill or --title and --yes are required without a terminal" >&2; exit 1; }
[ -n "$title" ] || { echo "title can't be blank" >&2; exit 1; }
git ls-remote --exit-code --heads origin "$head" > /dev/null ||
  { echo "the source branch does not exist on the remote" >&2; exit 1; }
printf '%s to %s: %s\\n%s\\n' "$head" "$base" "$title" "$body" > "$GH_REQUEST"
echo "!7 $title ($head)"
echo " https://gitlab.test/shop/-/merge_requests/7"
`;

describe('a session in a worktree', () => {
  const world = eachTest(() => HeadlessWorld.make());
  let root: string;

  beforeEach(async () => {
    root = await realpath(world.workspace);
    await initRepository(root, { 'a.txt': lines(), 'b.txt': 'b\n' });
    await git(root, 'config', 'user.name', 'Ada');
    await git(root, 'config', 'user.email', 'ada@example.invalid');
  });

  const home = () => world.home;
  const run = (...args: readonly string[]) => world.run(args, { env: { HOME: home() } });
  const read = (name: string, folder = root) => readFile(join(folder, name), 'utf8');
  const replace = (from: string, to: string, file = 'a.txt') =>
    call('replace', { file_path: file, instruction: 'i', old_string: from, new_string: to });
  /** A run in a new worktree that makes these calls. */
  const work = async (calls: readonly ReturnType<typeof call>[], ...args: readonly string[]) => {
    world.server.script(calls, [text('Done.')]);
    const begun = ['--approval-mode', 'autoEdit', '--worktree', 'side', '--prompt', 'Work'];
    return await run(...begun, ...args);
  };
  const resume = (prompt: string) => run('--resume', 'latest', '--prompt', prompt);
  const tree = async () => {
    const place = join(home(), '.folio/worktrees');
    const [repository] = await readdir(place);
    return join(place, repository!, 'side');
  };

  it('changes nothing at home until its changes are brought there', async () => {
    await writeFile(join(root, 'a.txt'), lines({ 12: 'mine, uncommitted' }));
    expect(await work([replace('line 1\n', 'theirs\n')])).toMatchObject({ code: 0 });
    expect(await read('a.txt')).toBe(lines({ 12: 'mine, uncommitted' }));
    expect(await read('a.txt', await tree())).toBe(lines({ 1: 'theirs', 12: 'mine, uncommitted' }));
    const { out } = await resume('/worktree changes');
    expect(out).toContain('- a.txt');
    expect(out).not.toContain('b.txt');
  });

  it('brings them home into what has changed there meanwhile', async () => {
    await work([
      replace('line 1\n', 'theirs\n'),
      call('write_file', { file_path: 'new.txt', content: 'new\n' }),
    ]);
    await writeFile(join(root, 'a.txt'), lines({ 12: 'mine' }));
    const status = await git(root, 'status', '--porcelain', '--branch');
    const { code, out, error } = await resume('/worktree apply');
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(await read('a.txt')).toBe(lines({ 1: 'theirs', 12: 'mine' }));
    expect(await read('new.txt')).toBe('new\n');
    expect(out).toBe('');
    expect(await git(root, 'status', '--porcelain', '--branch')).toBe(`${status}?? new.txt\n`);
    expect(await resume('/worktree apply')).toMatchObject({
      error: expect.stringContaining('nothing to bring home'),
    });
  });

  it('brings only what is new since the last time, so that a rejected change does not come back', {
    tags: ['longer'],
  }, async () => {
    await work([replace('line 1\n', 'first\n')]);
    await resume('/worktree apply');
    await writeFile(join(root, 'a.txt'), lines());
    world.server.script([replace('line 12\n', 'second\n')], [text('Done.')]);
    await resume('More');
    await resume('/worktree apply');
    expect(await read('a.txt')).toBe(lines({ 12: 'second' }));
    await resume('/worktree apply --again');
    expect(await read('a.txt')).toBe(lines({ 1: 'first', 12: 'second' }));
  });

  it('leaves a conflict, a protected file and a link alone, and names them', async () => {
    await work([replace('line 1\n', 'theirs\n'), replace('b\n', 'B\n', 'b.txt')]);
    await mkdir(join(await tree(), '.vscode'));
    await writeFile(join(await tree(), '.vscode/settings.json'), '{}\n');
    await symlink('/etc/hostname', join(await tree(), 'link'));
    await writeFile(join(root, 'a.txt'), lines({ 1: 'mine' }));
    await resume('/worktree apply');
    const { out } = await run(
      '--resume',
      'latest',
      '--output-format',
      'json',
      '--prompt',
      '/worktree changes',
    );
    expect(await read('a.txt')).toBe(lines({ 1: 'mine' }));
    expect(await read('b.txt')).toBe('B\n');
    expect((await readdir(root)).sort()).toEqual(['.git', 'a.txt', 'b.txt']);
    for (const name of ['a.txt', 'link', '.vscode/settings.json']) expect(out).toContain(name);
    expect(out).not.toContain('b.txt');
    await resume('/worktree apply .vscode/settings.json');
    expect(await read('.vscode/settings.json')).toBe('{}\n');
  });

  it('is updated from home, and the agent is asked to resolve what both changed', {
    tags: ['longer'],
  }, async () => {
    await work([replace('line 1\n', 'theirs\n')]);
    await writeFile(join(root, 'a.txt'), lines({ 1: 'mine', 12: 'mine, too' }));
    const resolved = lines({ 1: 'theirs and mine', 12: 'mine, too' });
    world.server.script(
      [call('read_file', { file_path: 'a.txt' })],
      [call('write_file', { file_path: 'a.txt', content: resolved })],
      [text('Resolved.')],
    );
    const { out } = await run(
      '--resume',
      'latest',
      '--approval-mode',
      'autoEdit',
      '--prompt',
      '/worktree update',
    );
    expect(out).toContain('Resolved.');
    const asked = JSON.stringify(world.server.requests.at(-1)!.body.contents);
    expect(asked).toContain('- a.txt');
    expect(asked).toContain('<<<<<<< the session (worktree side)');
    expect(await read('a.txt', await tree())).toBe(resolved);
    expect(await read('a.txt')).toBe(lines({ 1: 'mine', 12: 'mine, too' }));
    await resume('/worktree apply');
    expect(await read('a.txt')).toBe(resolved);
    const { error } = await resume('/worktree update');
    expect(error).toContain('Nothing changed in your files.');
  });

  it('is undone at home by a rewind', async () => {
    await work([replace('line 1\n', 'theirs\n')]);
    await resume('/worktree apply');
    expect(await run('--resume', 'latest', '--rewind', '2')).toMatchObject({ code: 0 });
    expect(await read('a.txt')).toBe(lines());
    await resume('/worktree apply --again');
    expect(await read('a.txt')).toBe(lines({ 1: 'theirs' }));
  });

  it('maps a workspace that is a folder of the repository', { tags: ['longer'] }, async () => {
    await mkdir(join(root, 'app'));
    await writeFile(join(root, 'app/c.txt'), 'c\n');
    const app = ['--workspace', join(root, 'app')];
    world.server.script([replace('c\n', 'C\n', 'c.txt')], [text('Done.')]);
    await run(...app, '--approval-mode', 'autoEdit', '--worktree', 'side', '--prompt', 'Work');
    expect(await read('app/c.txt', await tree())).toBe('C\n');
    await run(...app, '--resume', 'latest', '--prompt', '/worktree apply');
    expect(await read('app/c.txt')).toBe('C\n');
  });

  it('never works in a repository above when only its folder is left', async () => {
    await work([replace('line 1\n', 'theirs\n')]);
    await rm(await tree(), { recursive: true });
    await mkdir(await tree());
    await git(home(), 'init', '--quiet');
    world.server.script([replace('line 2\n', 'at home\n')], [text('Done.')]);
    await resume('More');
    expect(await read('a.txt')).toBe(lines({ 2: 'at home' }));
  });

  it('gets the ignored files that .worktreeinclude names, but no secrets, since nobody can be asked', async () => {
    await writeFile(join(root, '.gitignore'), '.env\nlocal.json\n');
    await writeFile(join(root, '.worktreeinclude'), '.env\nlocal.json\n');
    await writeFile(join(root, '.env'), 'KEY=1\n');
    await writeFile(join(root, 'local.json'), '{}\n');
    const { error } = await work([]);
    expect(error).toContain('since they may hold secrets: .env');
    expect(await read('local.json', await tree())).toBe('{}\n');
    expect(await readdir(await tree())).not.toContain('.env');
  });

  it('reads what it shares with home, and never writes there', async () => {
    await writeFile(join(root, '.gitignore'), 'node_modules/\n');
    await mkdir(join(root, 'node_modules/lib'), { recursive: true });
    await writeFile(join(root, 'node_modules/lib/index.js'), 'lib\n');
    await writeFile(join(root, 'node_modules/lib/.env'), 'KEY=1\n');
    const settings = join(world.folder, 'settings.json');
    await writeFile(settings, JSON.stringify({ 'folio.worktree.link': ['node_modules'] }));
    const path = 'node_modules/lib/index.js';
    await work(
      [
        call('read_file', { file_path: path }),
        call('read_file', { file_path: 'node_modules/lib/.env' }),
        call('write_file', { file_path: path, content: 'changed\n' }),
        replace('line 1\n', 'theirs\n'),
      ],
      '--settings',
      settings,
    );
    const [shared, secret, written] = JSON.stringify(world.server.requests.at(-1)!.body.contents)
      .split('functionResponse')
      .slice(-4);
    expect(shared).toContain('"output":"lib"');
    expect(secret).toContain('may hold secrets');
    expect(written).toContain('outside the workspace');
    expect(await read(path)).toBe('lib\n');
    const { out } = await run('--settings', settings, '--resume', 'latest', '--prompt', '/worktree changes');
    expect(out).toContain('- a.txt');
    expect(out).not.toContain('node_modules');
  });

  describe('that is set up', () => {
    const set = async (values: Readonly<Record<string, unknown>>) => {
      const file = join(world.folder, 'settings.json');
      await writeFile(file, JSON.stringify(values));
      return ['--settings', file, '--approval-mode', 'yolo'];
    };

    /** A run in a new worktree whose model does nothing. */
    const rest = async (...args: readonly string[]) => {
      world.server.script([text('Done.')]);
      return await run('--worktree', 'side', '--prompt', 'Work', ...args);
    };

    it('has its command run once, in the worktree, before the prompt', async () => {
      const options = await set({ 'folio.worktree.setup': 'pwd > where && echo ran >> count' });
      expect(await rest(...options)).toMatchObject({ code: 0, out: 'Done.\n', error: '' });
      expect(await read('where', await tree())).toBe(`${await tree()}\n`);
      const [request] = world.server.requests;
      expect(JSON.stringify(request!.body.contents)).toContain('to set the worktree up: pwd > where');
      world.server.script([text('Again.')]);
      await run(...options, '--resume', 'latest', '--prompt', 'More');
      expect(await read('count', await tree())).toBe('ran\n');
      expect(await readdir(root)).not.toContain('count');
    });

    it('has ports of its own, of which its commands and the model know', async () => {
      const options = await set({ 'folio.worktree.setup': 'echo $FOLIO_PORT_BASE > base' });
      await work([call('run_shell_command', { command: 'echo $FOLIO_PORT_BASE > again' })], ...options);
      const base = await read('base', await tree());
      expect(base).toMatch(/^[23]\d{3}0\n$/);
      expect(await read('again', await tree())).toBe(base);
      const system = JSON.stringify(world.server.requests[0]!.body.systemInstruction);
      expect(system).toContain(`listen on ports ${base.trim()} to`);
      world.server.script([text('Done.')]);
      await run('--prompt', 'In the workspace');
      expect(JSON.stringify(world.server.requests.at(-1)!.body)).not.toContain('FOLIO_PORT_BASE');
    });

    it('sends nothing when it is stopped meanwhile', async () => {
      const options = await set({ 'folio.worktree.setup': 'echo begun > begun && sleep 600' });
      const args = ['--worktree', 'side', '--prompt', 'Work', ...options];
      const { code, error } = await world.run(args, {
        env: { HOME: home() },
        onStart: async child => {
          const begun = () =>
            tree()
              .then(folder => read('begun', folder))
              .catch(() => '');
          await expect.poll(begun).toBe('begun\n');
          child.kill('SIGINT');
        },
      });
      expect({ code, error }).toEqual({ code: 130, error: expect.stringContaining('Stopped.\n') });
      expect(world.server.requests).toEqual([]);
    });

    it('says that it failed, and goes on', { tags: ['longer'] }, async () => {
      const { code, out, error } = await rest(...(await set({ 'folio.worktree.setup': 'exit 3' })));
      expect({ code, out }).toEqual({ code: 0, out: 'Done.\n' });
      expect(error).toContain('The setup of the worktree failed (Exit code 3).');
    });

    it('asks about the command as about one of the agent', async () => {
      const [, file] = await set({ 'folio.worktree.setup': 'unknown-program --install' });
      const { code, error } = await rest('--settings', file!);
      expect(code).toBe(0);
      expect(error).toContain('The setup of the worktree failed');
      expect(JSON.stringify(world.server.requests[0]!.body.contents)).toContain('there is no user to ask');
    });

    it('installs what the lock file names', { tags: ['longer'] }, async () => {
      for (const name of ['go.sum', 'composer.lock']) await writeFile(join(root, name), '');
      await rest(...(await set({ 'folio.worktree.setup': 'auto' })));
      expect(JSON.stringify(world.server.requests[0]!.body.contents)).toContain(
        'to set the worktree up: go mod download && composer install',
      );
    });

    it('names in one sentence what it lacks, where no setting says how it comes by that', {
      tags: ['longer'],
    }, async () => {
      await writeFile(join(root, '.gitignore'), 'node_modules/\n');
      await writeFile(join(root, 'package-lock.json'), '{}');
      await mkdir(join(root, 'node_modules'));
      expect((await rest()).error).toBe(
        'The worktree has no node_modules. Set folio.worktree.link to share it, or folio.worktree.setup to install it.\n',
      );
    });
  });

  it('goes on in its worktree, where the model finds its work', { tags: ['longer'] }, async () => {
    await work([replace('line 1\n', 'theirs\n')]);
    world.server.script([call('read_file', { file_path: 'a.txt' })], [text('Read.')]);
    await resume('Look');
    expect(JSON.stringify(world.server.requests.at(-1)!.body.contents)).toContain('theirs');
  });

  it('works in the workspace again when its worktree is gone', async () => {
    await work([replace('line 1\n', 'theirs\n')]);
    await rm(await tree(), { recursive: true });
    world.server.script([replace('line 2\n', 'at home\n')], [text('Done.')]);
    expect(await resume('More')).toMatchObject({ code: 0, out: 'Done.\n' });
    expect(await read('a.txt')).toBe(lines({ 2: 'at home' }));
    expect(JSON.stringify(world.server.requests.at(-1)!.body.contents)).toContain(
      'The worktree side is gone',
    );
    expect((await resume('/worktree')).out).toContain('its folder is gone');
  });

  it('is given back when Git has lost it, and its changes come home', {
    tags: ['longer'],
  }, async () => {
    await work([replace('line 1\n', 'theirs\n')]);
    await rm(join(root, '.git/worktrees/side'), { recursive: true });
    expect((await resume('/worktree')).out).toContain('/worktree repair side restores it');
    expect((await run('--prompt', '/worktree remove side')).error).toContain('/worktree repair side');
    expect(await run('--prompt', '/worktree repair side')).toMatchObject({
      code: 0,
      out: expect.stringContaining('The worktree side is available again.'),
    });
    expect(await resume('/worktree apply')).toMatchObject({ code: 0, error: '' });
    expect(await read('a.txt')).toBe(lines({ 1: 'theirs' }));
  });

  it('becomes a branch, and the worktree is removed once nothing is lost by that', async () => {
    await work([replace('line 1\n', 'theirs\n')]);
    expect(await resume('/worktree branch topic')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/topic has the files/),
    });
    expect(await git(root, 'show', 'topic:a.txt')).toBe(lines({ 1: 'theirs' }));
    const place = await tree();
    await run('--prompt', '/worktree remove side');
    await expect(access(place)).rejects.toThrow();
    expect(await git(root, 'worktree', 'list')).not.toContain('side');
  });

  it('is removed with nothing that would be lost: neither changes nor commits', async () => {
    await work([replace('line 1\n', 'theirs\n')]);
    const place = await tree();
    const remove = () => run('--prompt', '/worktree remove side');
    expect((await remove()).error).toContain(
      'side has changes that are not in your files or on a branch: a.txt.',
    );
    await git(place, 'commit', '--quiet', '--all', '--message=Theirs');
    await resume('/worktree apply');
    expect((await remove()).error).toContain('side has 1 commit that is on no branch: Theirs.');
    await git(place, 'branch', 'kept');
    await remove();
    await expect(access(place)).rejects.toThrow();
    expect(await git(root, 'log', '-1', '--format=%s', 'kept')).toBe('Theirs\n');
  });

  describe('whose chapters become commits', () => {
    const topic = (title: string, summary?: string) => call('create_new_topic', { title, summary });
    const hub = () => join(world.folder, 'github.test/shop.git');
    /** With approvals as they are, or with none needed; the programs of the test are on PATH. */
    const publish = (prompt: string, mode: 'yolo' | 'default' = 'yolo', env: Record<string, string> = {}) =>
      world.run(['--resume', 'latest', '--approval-mode', mode, '--prompt', prompt], {
        env: { HOME: home(), PATH: `${join(world.folder, 'bin')}:${process.env.PATH}`, ...env },
      });

    beforeEach(async () => {
      await git(world.folder, 'init', '--quiet', '--bare', '--initial-branch=main', hub());
      await writeFile(join(hub(), 'hooks/post-receive'), greeting, { mode: 0o755 });
      await git(root, 'remote', 'add', 'origin', hub());
      await git(root, 'push', '--quiet', 'origin', 'main');
      await mkdir(join(world.folder, 'bin'));
      world.server.script(
        [topic('Change the first line'), replace('line 1\n', 'first\n')],
        [topic('Change b', 'The first line reads first.'), replace('b\n', 'B\n', 'b.txt')],
        [text('Done.')],
      );
      await run('--approval-mode', 'autoEdit', '--worktree', 'side', '--prompt', 'Work');
    });

    it('in the order of work, by the user, and the branch is pushed once that is allowed', async () => {
      expect((await publish('/worktree push')).error).toContain('Create one with /worktree branch NAME.');
      await publish('/worktree branch topic');
      expect(await git(root, 'log', '--format=%an: %s (%b)', 'main..topic')).toBe(
        'Ada: Change b ()\nAda: Change the first line (The first line reads first.\n)\n',
      );
      expect(await git(root, 'diff', '--name-only', 'main', 'topic~')).toBe('a.txt\n');
      expect((await publish('/worktree push', 'default')).error).toContain('did not run.');
      expect(await git(hub(), 'branch', '--list', 'topic')).toBe('');
      expect((await publish('/worktree push nowhere')).error).toContain(
        'There is no remote nowhere. Available: origin.',
      );
      const { out } = await publish('/worktree push');
      expect(out).toContain('or at https://github.test/shop/pull/new/topic');
      expect(await git(hub(), 'rev-parse', 'topic')).toBe(await git(root, 'rev-parse', 'topic'));
    });

    it('and a push that is refused is told with the reason of the server', async () => {
      await writeFile(join(hub(), 'hooks/pre-receive'), '#!/bin/sh\necho no branches today\nexit 1\n', {
        mode: 0o755,
      });
      await publish('/worktree branch topic');
      const { out, error } = await publish('/worktree push');
      expect(out).toContain('remote: no branches today');
      expect(error).toContain('The push failed');
    });

    it('and a pull request has their text, opened with gh or shown', async () => {
      await publish('/worktree branch topic');
      const body = '## Change the first line\n\nThe first line reads first.\n\n## Change b';
      expect((await publish('/worktree pr')).out).toContain(body);
      await writeFile(join(world.folder, 'bin/gh'), gh, { mode: 0o755 });
      const request = join(world.folder, 'request');
      const signedIn = { GH_STANDIN: 'signed-in', GH_REQUEST: request };
      const unsigned = await publish('/worktree pr');
      expect(unsigned.error).toContain('gh auth login');
      expect(unsigned.out).toContain(body);
      expect((await publish('/worktree pr', 'yolo', signedIn)).error).toContain('must first push');
      await publish('/worktree push');
      const { out } = await publish('/worktree pr main', 'yolo', signedIn);
      expect(out).toContain('The pull request is open: https://github.test/shop/pull/7');
      expect(await readFile(request, 'utf8')).toBe(`topic to main: Work\n${body}\n`);
    });

    it('and a merge request is opened with glab where the remote is of GitLab', {
      tags: ['longer'],
    }, async () => {
      const lab = join(world.folder, 'gitlab.test/shop.git');
      await git(world.folder, 'init', '--quiet', '--bare', '--initial-branch=main', lab);
      await git(root, 'remote', 'set-url', 'origin', lab);
      for (const [name, program] of Object.entries({ gh, glab }))
        await writeFile(join(world.folder, 'bin', name), program, { mode: 0o755 });
      await publish('/worktree branch topic');
      const request = join(world.folder, 'request');
      const early = await publish('/worktree pr main', 'yolo', { GH_REQUEST: request });
      expect(early.error).toContain('glab: the source branch does not exist');
      await publish('/worktree push');
      const { out } = await publish('/worktree pr main', 'yolo', { GH_REQUEST: request });
      expect(out).toContain('The pull request is open: https://gitlab.test/shop/-/merge_requests/7');
      expect(await readFile(request, 'utf8')).toMatch(/^topic to main: Work\n## Change the first line\n/);
    });
  });

  it('begins with HEAD or a branch when that is asked for, and has a name of its own else', {
    tags: ['longer'],
  }, async () => {
    await writeFile(join(root, 'a.txt'), 'uncommitted\n');
    await work([], '--base', 'HEAD');
    expect(await read('a.txt', await tree())).toBe(lines());
    world.server.script([text('Hi.')]);
    await run('--worktree', '--prompt', 'Hi');
    const { out } = await run('--prompt', '/worktree');
    expect(out).toMatch(/\*\*work-[0-9a-f]{6}\*\*: nothing to bring home, and not in use/);
  });

  it.each([
    [['--worktree', 'x', '--base', 'nowhere', '--prompt', 'Hi'], 'Git has no commit nowhere.'],
    [['--base', 'HEAD', '--prompt', 'Hi'], '--base needs --worktree.'],
    [['--worktree', 'x', '--resume', 'latest', '--prompt', 'Hi'], '--worktree is for a new session'],
    [['--worktree', 'a b', '--prompt', 'Hi'], 'a b is not a valid branch name in Git.'],
    [['--worktree', 'x', '--untrusted', '--prompt', 'Hi'], 'The workspace is restricted'],
    [['--worktree', '../x', '--prompt', 'Hi'], '../x is not a valid branch name in Git.'],
  ])('%j is refused with a reason', async (args, reason) => {
    const { code, error } = await run(...args);
    expect({ code, error }).toEqual({ code: 2, error: expect.stringContaining(reason) });
    expect(world.server.requests).toEqual([]);
  });
});
