import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { findRipgrep, packagedRipgrep } from '../../src/extension/node/search/findRipgrep.ts';
import { RipgrepSearch } from '../../src/extension/node/search/ripgrepSearch.ts';
import { WalkSearch } from '../../src/extension/node/search/walkSearch.ts';
import type { Search } from '../../src/extension/platform/search.ts';
import { allTests, eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { makeFolder } from '../support/gitRepository.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import { runHostedGit } from '../support/hostedGit.ts';
import { fc } from '../support/properties.ts';
import { runSize } from '../support/runSize.ts';
import { type Contents, type ExcludeCase, excludeCases } from './gitExcludeCases.ts';
import type { WorldCase } from './report.ts';

/** A home folder and a repository in temporary folders. */
class Place {
  readonly root: string;
  readonly dispose: () => Promise<void>;
  readonly env: { HOME: string; GIT_CONFIG_NOSYSTEM: string; XDG_CONFIG_HOME?: string };
  readonly work: string;

  private constructor(root: string, dispose: () => Promise<void>) {
    this.root = root;
    this.dispose = dispose;
    this.work = join(root, 'work');
    this.env = { HOME: join(root, 'home'), GIT_CONFIG_NOSYSTEM: '1' };
  }

  static async make(): Promise<Place> {
    const { root, dispose } = await makeFolder();
    const place = new Place(root, dispose);
    await mkdir(place.env.HOME);
    await mkdir(place.work);
    await place.git(['init', '--quiet', '--initial-branch=main']);
    return place;
  }

  git(args: readonly string[], folder = this.work): Promise<string> {
    const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid'];
    return runHostedGit(folder, [...who, ...args], { PATH: process.env.PATH, ...this.env });
  }

  async write(folder: string, contents: Contents): Promise<void> {
    for (const [path, content] of Object.entries(contents)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
  }

  async set({ home = {}, xdg, git = [], exclude, files }: Omit<ExcludeCase, keyof WorldCase | 'found'>) {
    for (const args of git) await this.git(args);
    await this.write(this.env.HOME, home);
    await this.write(this.work, files);
    if (exclude !== undefined) await this.write(this.work, { '.git/info/exclude': exclude });
    if (xdg !== undefined) this.env.XDG_CONFIG_HOME = join(this.env.HOME, xdg);
  }

  /** What Git counts, in repositories below the folder, too, but for the files by which it knows them. */
  async gitFiles(folder: string): Promise<readonly string[]> {
    const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
    const names = (await this.git(args, folder)).split('\0').filter(Boolean);
    const modules = (await this.git(['ls-files', '--stage', '-z'], folder)).split('\0');
    const found = names.map(async name => {
      const isModule = modules.some(each => each.startsWith('160000 ') && each.endsWith(`\t${name}`));
      if (!isModule && !name.endsWith('/')) return [name];
      return (await this.gitFiles(join(folder, name))).map(each => join(name, each));
    });
    return (await Promise.all(found)).flat().toSorted();
  }
}

const ripgrep = await findRipgrep(packagedRipgrep());
type Env = Readonly<Record<string, string | undefined>>;
const searches: readonly (readonly [string, (env: Env) => Search])[] = [
  ['by walking', env => new WalkSearch(env)],
  ...(ripgrep === undefined ? [] : [['by ripgrep', (env: Env) => new RipgrepSearch(ripgrep, env)] as const]),
];

async function findAll(search: Search, folder: string): Promise<readonly string[]> {
  const { paths } = await search.findFiles({ folder, pattern: '**/*' }, new AbortController().signal);
  return paths.map(path => relative(folder, path)).toSorted();
}

async function findWithText(search: Search, folder: string): Promise<readonly string[]> {
  const query = { path: folder, pattern: 'needle', maxTotal: 1000 };
  const { files } = await search.findText(query, new AbortController().signal);
  return files.map(({ path }) => relative(folder, path)).toSorted();
}

const withoutGit = (names: readonly string[]) => names.filter(name => !/(^|\/)\.git$/.test(name));

describe('what Git leaves out is left out, searching by walking and by ripgrep', () => {
  const place = eachTest(() => Place.make());

  it.each(excludeCases)('$title', async ({ searched = 'work', found, ...setup }) => {
    await place.set({ searched, ...setup });
    const folder = join(place.root, searched);
    if (searched !== 'plain') expect(await place.gitFiles(folder)).toEqual(withoutGit(found));
    const all = await readdir(folder, { recursive: true, withFileTypes: true });
    const names = all
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
      .filter(path => !relative(folder, path).split('/').includes('.git'));
    for (const [how, searchFor] of searches) {
      const search = searchFor(place.env);
      expect(withoutGit(await findAll(search, folder)), how).toEqual(withoutGit(found));
      const rules = await search.readIgnoreRules(folder);
      const kept = names.filter(path => rules.findIgnoring(path, 'file') === undefined);
      expect(kept.map(path => relative(folder, path)).toSorted(), how).toEqual(withoutGit(found));
    }
    // The same holds for text.
    for (const path of names) if (!path.endsWith('.gitignore')) await writeFile(path, 'needle\n');
    const isText = (name: string) => !/\.git(ignore|modules)$/.test(name);
    for (const [how, searchFor] of searches) {
      const withText = await findWithText(searchFor(place.env), folder);
      expect(withText.filter(isText), how).toEqual(withoutGit(found).filter(isText));
    }
  });

  it('for any rules in any of the sources', async () => {
    const files = ['a', 'b.x', 'd/a', 'd/b.x', 'd/e/a', 'd/e/b.x', 'e/a/b.x'];
    await place.set({ files: Object.fromEntries(files.map(file => [file, ''])) });
    const name = fc.constantFrom(
      'a',
      'b.x',
      'd',
      'e',
      '*.x',
      '*',
      '**',
      '?',
      '[a-d]',
      'd/e',
      '**/e',
      'e/**',
      'd/*',
    );
    const rule = fc
      .tuple(fc.constantFrom('', '', '!'), fc.constantFrom('', '', '/'), name, fc.constantFrom('', '', '/'))
      .map(parts => parts.join(''));
    const rules = fc.array(rule, { maxLength: 4 }).map(lines => lines.join('\n'));
    const property = fc.asyncProperty(rules, rules, rules, rules, async (user, exclude, top, deep) => {
      await place.write(place.env.HOME, { '.config/git/ignore': user });
      await place.write(place.work, {
        '.git/info/exclude': exclude,
        '.gitignore': top,
        'd/.gitignore': deep,
      });
      const wanted = await place.gitFiles(place.work);
      for (const [how, searchFor] of searches)
        expect(await findAll(searchFor(place.env), place.work), how).toEqual(wanted);
    });
    await fc.assert(property, { numRuns: runSize({ test: 12, prove: 500 }) });
  });
});

it('pipes, devices and circles of settings are no files of rules', async () => {
  const place = await Place.make();
  onTestFinished(() => place.dispose());
  await place.set({
    home: { '.gitconfig': '[include]\npath = .gitconfig\n[core]\nexcludesFile = /dev/zero\n[core\nx="\n' },
    files: { 'a.txt': '' },
  });
  expect(await findAll(new WalkSearch(place.env), place.work)).toEqual(['a.txt']);
});

describe('each way to the workspace leaves out the same', () => {
  const world = allTests(() => HeadlessWorld.make());
  beforeAll(async () => {
    const place = { HOME: world.folder, GIT_CONFIG_NOSYSTEM: '1' };
    await runHostedGit(world.workspace, ['init', '--quiet'], { PATH: process.env.PATH, ...place });
    await writeFile(join(world.workspace, '.git', 'info', 'exclude'), 'mine.txt\n');
    await mkdir(join(world.folder, 'settings', 'git'), { recursive: true });
    await writeFile(join(world.folder, 'settings', 'git', 'ignore'), 'scratch/\n');
    await mkdir(join(world.workspace, 'scratch'));
    for (const name of ['mine.txt', 'scratch/notes.md', 'kept.txt']) {
      await writeFile(join(world.workspace, name), `needle in ${name}\n`);
    }
  });

  it.each(['', process.env.PATH ?? ''])('with PATH %j', async path => {
    world.server.script(
      [
        call('glob', { pattern: '**/*' }),
        call('grep_search', { pattern: 'needle' }),
        call('list_directory', { dir_path: '.' }),
        call('read_many_files', { include: ['**/*'] }),
      ],
      [text('Done.')],
    );
    const env = { PATH: path, XDG_CONFIG_HOME: join(world.folder, 'settings'), GIT_CONFIG_NOSYSTEM: '1' };
    const run = await world.run(['--prompt', 'See @mine.txt and @scratch and @kept.txt'], { env });
    expect(run.code, run.error).toBe(0);
    const outputs = lastResults(world.server.requests.at(-1)!).map(({ output = '' }) => output);
    expect(outputs).toHaveLength(4);
    for (const output of outputs) {
      expect(output).toContain('kept.txt');
      expect(output).not.toMatch(/mine\.txt|scratch|notes/);
    }
    const { contents } = world.server.requests[0]!.body;
    const first = contents!.flatMap(({ parts }) => parts!.flatMap(part => part.text ?? [])).join('\n');
    const tree = /<workspace>.*?<\/workspace>/s.exec(first)?.[0];
    expect(tree).toContain('kept.txt');
    expect(tree).not.toMatch(/mine\.txt|scratch/);
    expect(first).toContain('needle in kept.txt');
    expect(first).not.toMatch(/needle in (mine|scratch)/);
  });
});
