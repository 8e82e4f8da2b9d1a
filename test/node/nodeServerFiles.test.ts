import { lstat, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { NodeServerFiles } from '../../src/extension/node/customizations/nodeServerFiles.ts';
import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import { ServerFileError } from '../../src/extension/platform/customizations/serverFiles.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

describe('servers in settings files', () => {
  let home: string;
  let path: string;
  let files: NodeServerFiles;

  beforeEach(async () => {
    home = await temporaryFolder('folio-servers-');
    files = new NodeServerFiles(new NodeFileSystem(), { home, folders: () => [] });
    path = files.path('person')!;
    await mkdir(dirname(path));
  });

  const text = () => readFile(path, 'utf8');
  const entry = { command: 'tides', args: ['--all'] };

  test('are written into a new file, and none where no folder is open', async () => {
    await rm(dirname(path), { recursive: true });
    await files.write('person', 'tides', entry);
    expect(JSON.parse(await text())).toEqual({ mcpServers: { tides: entry } });
    expect(files.path('workspace')).toBeUndefined();
    await expect(files.write('workspace', 'tides', entry)).rejects.toThrow('No folder is open');
  });

  test('leave comments, order, indentation and line ends as they are, and nothing behind', async () => {
    const before = [
      '\uFEFF// mine',
      '{ // of this machine',
      '\t"theme": "dark", // at night',
      '\t"mcpServers": { /* few */',
      '\t\t/* the first */ "a": { "command": "a" }, // and the last',
      '\t},',
      '}',
      '',
    ];
    await writeFile(path, before.join('\r\n'));
    await files.write('person', 'tides', entry);
    const added = ['\t\t"tides": {', '\t\t\t"command": "tides",', '\t\t\t"args": ['];
    const rest = ['\t\t\t\t"--all"', '\t\t\t]', '\t\t},'];
    expect((await text()).split('\r\n')).toEqual(before.toSpliced(4, 0, ...added, ...rest));
    expect(await files.read('person')).toEqual({ tides: entry, a: { command: 'a' } });
    await files.write('person', 'tides', { command: 'other' });
    expect(await files.read('person')).toEqual({ tides: { command: 'other' }, a: { command: 'a' } });
    await files.write('person', 'tides', undefined);
    expect((await text()).split('\r\n')).toEqual(before);
  });

  test.for([
    ['{}', '{\n  "mcpServers": {\n    "b": {\n      "command": "b"\n    }\n  }\n}'],
    ['', '{\n  "mcpServers": {\n    "b": {\n      "command": "b"\n    }\n  }\n}\n'],
    [
      '{\n    "mcpServers": { }\n}',
      '{\n    "mcpServers": {\n        "b": {\n            "command": "b"\n        }\n    }\n}',
    ],
    [
      '{\n  "mcpServers": {\n    // none yet\n  }\n}\n',
      '{\n  "mcpServers": {\n    "b": {\n      "command": "b"\n    }\n    // none yet\n  }\n}\n',
    ],
    ['{"a":1}', '{\n  "mcpServers": {\n    "b": {\n      "command": "b"\n    }\n  },"a":1}'],
  ] as const)('are put first into %j', async ([before, after]) => {
    await writeFile(path, before);
    await files.write('person', 'b', { command: 'b' });
    expect(await text()).toBe(after);
  });

  test.for([
    ['{"mcpServers":{"b":{}}}', '{"mcpServers":{}}'],
    ['{"mcpServers":{"a":{}, "b":{}}}', '{"mcpServers":{"a":{} }}'],
    ['{"mcpServers":{"b":{}, "a":{}}}', '{"mcpServers":{"a":{}}}'],
    [
      '{"mcpServers": {\n  "a": {}, // one\n  // two\n  "b": { "command": "b" } // three\n}}',
      '{"mcpServers": {\n  "a": {} // one\n  // two\n  // three\n}}',
    ],
    ['{"mcpServers": {\n  "a": {} /* , */ ,\n  "b": {}\n}}', '{"mcpServers": {\n  "a": {} /* , */ \n}}'],
  ] as const)('are taken out of %j with their comma, and no comment goes', async ([before, after]) => {
    await writeFile(path, before);
    await files.write('person', 'b', undefined);
    expect(await text()).toBe(after);
  });

  test.for([
    ['is cut off', '{\n "mcpServers": {\n', 'is not valid JSON at line 3'],
    ['is no object', '[1]', 'contains no object'],
    ['has a list of servers', '{ "mcpServers": [] }', 'is not an object'],
    ['names its servers twice', '{ "mcpServers": {}, "mcpServers": { "b": {} } }', 'has the same key twice'],
    ['is of another dialect', '{ mcpServers: {} }', 'is not valid JSON'],
  ] as const)('are not written into a file that %s, and no byte changes', async ([, broken, why]) => {
    await writeFile(path, broken);
    const writing = files.write('person', 'tides', entry);
    await expect(writing).rejects.toBeInstanceOf(ServerFileError);
    await expect(writing).rejects.toThrow(why);
    expect(await text()).toBe(broken);
  });

  test('are written where a link leads, and the link stays', async () => {
    const real = join(home, 'dotfiles.json');
    await writeFile(real, '{}');
    await symlink(real, path);
    await files.write('person', 'tides', entry);
    expect((await lstat(path)).isSymbolicLink()).toBe(true);
    expect(JSON.parse(await readFile(real, 'utf8'))).toEqual({ mcpServers: { tides: entry } });
  });

  test('fail with a sentence where the file cannot be one', async () => {
    await mkdir(path);
    await expect(files.write('person', 'tides', entry)).rejects.toBeInstanceOf(ServerFileError);
  });
});
