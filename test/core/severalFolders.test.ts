import { spawnSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ChangeTracker } from '../../src/extension/core/changes/changeTracker.ts';
import { ConcurrentRuns } from '../../src/extension/core/changes/concurrentRuns.ts';
import { ConsentService } from '../../src/extension/core/consent/consentService.ts';
import { readMemory } from '../../src/extension/core/context/memory.ts';
import { LoadedCustomizations } from '../../src/extension/core/customizations/loadedCustomizations.ts';
import { WorkspacePaths } from '../../src/extension/core/paths.ts';
import { NodeCustomFiles } from '../../src/extension/node/customizations/customFiles.ts';
import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import { NodeSearch } from '../../src/extension/node/search/nodeSearch.ts';
import { NodeSettingsDocuments } from '../../src/extension/node/settings/settingsDocuments.ts';
import { SystemClock } from '../../src/extension/node/systemClock.ts';
import { utf8Format } from '../../src/extension/platform/fileSystem.ts';
import { pendingChanges } from '../../src/extension/review/fileMode.ts';
import { globTool } from '../../src/extension/tools/glob.ts';
import { grepSearchTool } from '../../src/extension/tools/grepSearch.ts';
import { readFileTool } from '../../src/extension/tools/readFile.ts';
import type { SessionEvent, SessionEventBody } from '../../src/protocol/events.ts';
import { reduce } from '../../src/protocol/fold/reduce.ts';
import { emptySession } from '../../src/protocol/state.ts';
import { withFolderName } from '../../src/protocol/words/folderNames.ts';
import { git } from '../support/gitRepository.ts';
import { HostedGit } from '../support/hostedGit.ts';
import { MemoryBlobStore } from '../support/memoryBlobStore.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { useTool } from '../support/useTool.ts';

const names = ['alpha', 'beta', 'gamma'] as const;
const hasGit = spawnSync('git', ['--version']).status === 0;

/** The same names in each of the three, so that a path without its folder would mean another file. */
const texts: Readonly<Record<string, string>> = Object.fromEntries(
  names.flatMap(name => [
    [`${name}/src/main.ts`, `export const sheep = '${name}';\n`],
    [`${name}/GEMINI.md`, `${name} is remembered.\n`],
  ]),
);

let root: string;
let folders: readonly string[];
const files = new NodeFileSystem();

async function put(contents: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(contents)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

beforeEach(async () => {
  root = await temporaryFolder('folio-git-');
  folders = names.map(name => join(root, name));
  await put(texts);
});

describe('in three folders', () => {
  const ports = () => ({ files, paths: new WorkspacePaths(files, folders), ignoredFolders: () => [] });

  test('a search finds what is in each, under paths that can be given back', async () => {
    const search = new NodeSearch();
    const found = await useTool(grepSearchTool({ ...ports(), search }), { pattern: 'sheep' });
    const listed = await useTool(globTool({ ...ports(), search, clock: { now: Date.now } }), {
      pattern: '**/main.ts',
    });
    for (const path of ['src/main.ts', join(root, 'beta/src/main.ts'), join(root, 'gamma/src/main.ts')]) {
      expect(found.text).toContain(path);
      expect(listed.text).toContain(path);
      const name = path.startsWith(root) ? basename(dirname(dirname(path))) : 'alpha';
      const read = await useTool(readFileTool(ports()), { file_path: path });
      expect(read.text).toContain(`'${name}'`);
    }
    const inOne = await useTool(grepSearchTool({ ...ports(), search }), {
      pattern: 'sheep',
      dir_path: 'gamma',
    });
    expect(inOne.text).toContain("'gamma'");
    expect(inOne.text).not.toContain("'beta'");
  });

  test('a path begins with the name of its folder for the model and for people', async () => {
    const { paths } = ports();
    for (const name of names) {
      const path = await paths.resolve(`${name}/src/main.ts`, 'write');
      expect(path).toBe(join(root, name, 'src/main.ts'));
      expect(withFolderName(await paths.show(path), folders)).toBe(`${name}/src/main.ts`);
    }
    // Without a name it is of the first.
    expect(await paths.resolve('src/main.ts', 'write')).toBe(join(root, 'alpha/src/main.ts'));
    await expect(paths.resolve('../delta/x.ts', 'write')).rejects.toThrow(/outside the workspace/);
  });

  test('the memory of each is told, in the order of the folders', async () => {
    const place = { home: join(root, 'home'), names: ['GEMINI.md'], folders, extra: [], trusted: true };
    const { blocks } = await readMemory(files, place);
    expect(blocks.map(({ text }) => text)).toEqual(names.map(name => texts[`${name}/GEMINI.md`]));
  });

  test('settings, commands and agents of each count, and of two settings the later folder’s', async () => {
    const settings = (values: object) => JSON.stringify(values);
    const agent = '---\nname: shepherd\ndescription: Herds.\n---\nHerd.\n';
    await put({
      'alpha/.gemini/settings.json': settings({ folio: { maxSteps: 11, shellInactivityTimeout: 5 } }),
      'beta/.gemini/settings.json': settings({ folio: { maxSteps: 22 } }),
      'beta/.gemini/commands/look.toml': 'prompt = "Look at {{args}}"\n',
      'gamma/.gemini/settings.json': settings({ context: { fileName: 'NOTES.md' } }),
      'gamma/.gemini/agents/shepherd.md': agent,
    });
    const additions = new LoadedCustomizations({
      files: new NodeCustomFiles(
        { home: join(root, 'home'), folders: () => folders },
        new NodeSettingsDocuments(),
      ),
      consent: new ConsentService(
        { isSeen: async () => true, markSeen: async () => {}, forget: async () => {} },
        () => true,
      ),
      disabled: () => [],
    });
    await additions.refresh();
    expect(additions.problems).toEqual([]);
    expect(additions.settings).toMatchObject({
      maxSteps: 22,
      shellInactivityTimeout: 5,
      contextFileNames: ['NOTES.md'],
    });
    expect([...additions.commands.entries.keys()]).toEqual(['workspace look']);
    expect([...additions.agentDefinitions.keys()]).toContain('shepherd');
  });
});

describe.skipIf(!hasGit)('changes in three folders, of which two are repositories', () => {
  let events: SessionEvent[];
  let changes: ChangeTracker;

  const emit = (body: SessionEventBody) => {
    const event: SessionEvent = { ...body, seq: events.length + 1, at: 0 };
    events.push(event);
    changes.fold(event);
  };
  const inEach = (path: string) => folders.map(folder => join(folder, path));
  const waiting = () =>
    events
      .reduce(reduce, emptySession)
      .reviews.map(({ path }) => path)
      .toSorted();
  const contents = (path: string) =>
    Promise.all(inEach(path).map(each => readFile(each, 'utf8').catch(() => undefined)));

  beforeEach(async () => {
    for (const folder of folders.slice(1)) {
      await git(folder, 'init', '--quiet', '--initial-branch=main');
      await git(folder, 'add', '--all');
      await git(folder, 'commit', '--quiet', '--message=first');
    }
    events = [];
    changes = new ChangeTracker({
      folders,
      files,
      blobs: new MemoryBlobStore(),
      versionControl: new HostedGit(),
      clock: new SystemClock(),
      log: { debug() {}, info() {}, warn() {}, error() {} },
      concurrentRuns: new ConcurrentRuns().beside(),
      emit,
      recorded: async () => {},
      chapterId: () => 'chapter',
    });
    emit({ type: 'turn.started', turnId: 't', text: '', attachments: [] });
  });
  afterEach(() => changes.close());

  test('wait for review in each, are rejected in one and gone back from in all', async () => {
    const place = events.length;
    const call = changes.filesOf({ kind: 'call', callId: 'call', words: 'Write' }, 'unseen');
    for (const path of inEach('src/main.ts')) await call.writeText(path, 'written\n', utf8Format);
    await changes.ledger.flush();
    expect(waiting()).toEqual(inEach('src/main.ts'));

    const [alpha, beta, gamma] = inEach('src/main.ts');
    expect(await changes.ledger.reject({ path: beta })).toEqual([]);
    expect(await contents('src/main.ts')).toEqual(['written\n', texts['beta/src/main.ts'], 'written\n']);
    const count = (path: string | undefined) => pendingChanges(changes.ledger.review(path!)!).length;
    expect([alpha, beta, gamma].map(count)).toEqual([1, 0, 1]);

    const restored = await changes.restorer.restore({ from: place, reviews: [] });
    expect(restored.map(({ path }) => withFolderName(path, folders)).toSorted()).toEqual([
      'alpha/src/main.ts',
      'gamma/src/main.ts',
    ]);
    expect(await contents('src/main.ts')).toEqual(names.map(name => texts[`${name}/src/main.ts`]));
  });

  test('that a command makes past the tools are found in the repositories, and said to be unknown in the third folder', async () => {
    const place = events.length;
    const command = changes.filesOf({ kind: 'command', callId: 'c', line: 'work' }, 'unseen');
    const watched = {
      effect: 'run',
      files: command,
      reads: false,
      signal: AbortSignal.timeout(60_000),
    } as const;
    const { changes: reported } = await changes.watch(watched, async () => {
      for (const path of inEach('src/main.ts')) await writeFile(path, 'by a command\n');
      for (const path of inEach('new.txt')) await writeFile(path, 'new\n');
      await rm(join(root, 'gamma/GEMINI.md'));
    });
    expect(reported?.uncovered).toContain(
      `Without Git in ${folders[0]}, a rewind restores only files that Folio wrote`,
    );
    const found = [
      'beta/new.txt',
      'beta/src/main.ts',
      'gamma/GEMINI.md',
      'gamma/new.txt',
      'gamma/src/main.ts',
    ];
    expect(reported?.touched.map(({ path }) => withFolderName(path, folders)).toSorted()).toEqual(found);
    await changes.ledger.flush();
    expect(waiting()).toEqual(found.map(path => join(root, path)));

    await changes.restorer.restore({ from: place, reviews: [] });
    const [, ofBeta, ofGamma] = names.map(name => texts[`${name}/src/main.ts`]);
    expect(await contents('src/main.ts')).toEqual(['by a command\n', ofBeta, ofGamma]);
    expect(await contents('new.txt')).toEqual(['new\n', undefined, undefined]);
    expect(await contents('GEMINI.md')).toEqual(names.map(name => texts[`${name}/GEMINI.md`]));
  });
});
