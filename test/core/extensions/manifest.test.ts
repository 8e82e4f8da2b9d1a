import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseManifest } from '../../../src/extension/core/extensions/manifest.ts';

const folder = join('/home', 'tides');
const path = join(folder, 'gemini-extension.json');

function parse(value: unknown) {
  const origin = { kind: 'extension', name: 'tides', folder } as const;
  const { manifest, problems } = parseManifest({
    kind: 'extension',
    name: 'tides',
    detail: '',
    format: 'manifest',
    text: '',
    origin,
    path,
    value,
  });
  if (!manifest) throw new Error('It is no extension.');
  return { manifest, problems };
}

test('a manifest names context, tools that it switches off, and what it wants to know', () => {
  const key = { name: 'API key', description: 'Of the service', envVar: 'TIDE_KEY', sensitive: true };
  const { manifest, problems } = parse({
    contextFileName: ['TIDES.md', 'docs/more.md'],
    excludeTools: ['web_fetch', 'run_shell_command(rm -rf)'],
    settings: [key, { envVar: 'TIDE_PORT' }],
    themes: [],
  });
  expect(problems).toEqual([]);
  expect(manifest).toEqual({
    name: 'tides',
    folder,
    path,
    home: folder,
    isOfWorkspace: false,
    contextFiles: [
      { path: join(folder, 'TIDES.md'), isNamed: true },
      { path: join(folder, 'docs/more.md'), isNamed: true },
    ],
    excludeTools: ['web_fetch', 'run_shell_command(rm -rf)'],
    settings: [key, { name: 'TIDE_PORT', description: '', envVar: 'TIDE_PORT', sensitive: false }],
  });
});

test('without a name of it, the usual context file is taken where it is there', () => {
  expect(parse({}).manifest.contextFiles).toEqual([{ path: join(folder, 'GEMINI.md'), isNamed: false }]);
});

test.each<[string, unknown, string]>([
  ['a version that is a number', { version: 1 }, '"version" must be a string. It is ignored.'],
  ['a name that is a list', { name: ['tides'] }, '"name" must be a string. It is ignored.'],
  [
    'a context file of another kind',
    { contextFileName: 7 },
    '"contextFileName" must be a string or a list of strings. No context file is read.',
  ],
  [
    'a context file elsewhere',
    { contextFileName: 'a/../../GEMINI.md' },
    '"contextFileName" names "a/../../GEMINI.md", which is not a file in its folder.',
  ],
  [
    'an absolute context file',
    { contextFileName: '/etc/passwd' },
    '"contextFileName" names "/etc/passwd", which is not a file in its folder.',
  ],
  [
    'an empty context file',
    { contextFileName: [''] },
    '"contextFileName" names "", which is not a file in its folder.',
  ],
  [
    'tools that are no list',
    { excludeTools: {} },
    '"excludeTools" must be a list of strings. It is ignored, and no tool is disabled.',
  ],
  ['a tool that is none', { excludeTools: [{}] }, '"excludeTools" names {}, which is not a tool.'],
  [
    'settings that are no list',
    { settings: {} },
    '"settings" must be a list. Until then you cannot set anything for this extension.',
  ],
  ['a setting that is a text', { settings: ['KEY'] }, 'settings[0] is not an object. It is ignored.'],
  [
    'a setting without a variable',
    { settings: [{ name: 'Key' }] },
    'settings[0] has no "envVar". It is ignored.',
  ],
  [
    'a variable that is none',
    { settings: [{ envVar: 'MY KEY' }] },
    'settings[0] has "envVar" "MY KEY", which is not a variable name. It is ignored.',
  ],
  [
    'a description that is a number',
    { settings: [{ envVar: 'KEY', description: 1 }] },
    'settings[0] has a "description" that is not a string. It is ignored.',
  ],
  [
    'a setting with a name that is no text',
    { settings: [{ envVar: 'KEY', name: 1 }] },
    'settings[0] has a "name" that is not a string. It is ignored.',
  ],
  [
    'a setting that may be secret or not',
    { settings: [{ envVar: 'KEY', sensitive: 'yes' }] },
    'settings[0] has a "sensitive" that is neither true nor false. It is ignored.',
  ],
  [
    'a variable that is set twice',
    { settings: [{ envVar: 'KEY' }, { envVar: 'KEY', sensitive: true }] },
    'settings[1] sets KEY a second time. It is ignored.',
  ],
])('%s is one sentence', (_what, value, sentence) => {
  expect(parse(value).problems).toEqual([`${path}: ${sentence}`]);
});

test('a text for the tools that it switches off counts as a list of that one name', () => {
  const { manifest, problems } = parse({ excludeTools: 'web_fetch' });
  expect(manifest.excludeTools).toEqual(['web_fetch']);
  expect(problems).toHaveLength(1);
});

test('what is wrong leaves the rest as it is', () => {
  const { manifest, problems } = parse({
    excludeTools: ['web_fetch', 1],
    settings: [null, { envVar: 'KEY' }],
  });
  expect(problems).toHaveLength(2);
  expect(manifest.excludeTools).toEqual(['web_fetch']);
  expect(manifest.settings.map(({ envVar }) => envVar)).toEqual(['KEY']);
});
