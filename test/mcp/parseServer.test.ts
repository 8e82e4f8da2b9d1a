import { join, sep } from 'node:path';
import { expect, test } from 'vitest';
import { questionForInput } from '../../src/extension/mcp/config/parseInputQuestions.ts';
import { parseServer, type ServerEntry } from '../../src/extension/mcp/config/parseServer.ts';
import { resolveTransportConfig } from '../../src/extension/mcp/config/resolveTransportConfig.ts';

const place = {
  env: { TOKEN: 'abc', GEMINI_API_KEY: 'own', EMPTY: '' },
  folders: ['/code/one', '/code/two'],
  home: '/home/ada',
};
const user: ServerEntry['origin'] = { kind: 'person' };
const workspace: ServerEntry['origin'] = { kind: 'workspace' };
const extension: ServerEntry['origin'] = { kind: 'extension', name: 'tides', folder: '/ext/tides' };

function parse(value: unknown, origin = user) {
  const parsed = parseServer({ name: 'box', origin, value }, place);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.config;
}

function problemOf(value: unknown, origin = user): string {
  const parsed = parseServer({ name: 'box', origin, value }, place);
  return parsed.ok ? 'no problem' : parsed.problem;
}

test('what was set for an extension is a variable of its program, and may be named in its texts', () => {
  const given = { TIDE_KEY: 'abc', PORT: '1' };
  const read = (value: object) => parseServer({ name: 'box', origin: extension, value }, { ...place, given });
  expect(read({ command: 'tide', args: ['--key=$TIDE_KEY'], env: { PORT: '2' } })).toMatchObject({
    config: { source: { args: ['--key=abc'], env: { TIDE_KEY: 'abc', PORT: '2' } } },
  });
  expect(read({ httpUrl: 'https://a.b', headers: { Key: '${TIDE_KEY}' } })).toMatchObject({
    config: { source: { headers: { Key: 'abc' } } },
  });
});

test('a program runs in the first folder, with what its entry names', () => {
  const value = { command: 'npx', args: ['-y', 'thing'], env: { KEY: '$TOKEN', PORT: 7, OFF: null } };
  expect(parse(value)).toMatchObject({
    source: {
      kind: 'stdio',
      command: 'npx',
      args: ['-y', 'thing'],
      cwd: '/code/one',
      env: { KEY: 'abc', PORT: '7' },
    },
    timeoutMs: 600_000,
    trusted: false,
    excludeTools: [],
  });
});

test.each([
  ['an httpUrl is the newer way', { httpUrl: 'https://a.example/mcp' }, { kind: 'http', orSse: false }],
  ['a url alone may be either', { url: 'https://a.example/mcp' }, { kind: 'http', orSse: true }],
  [
    'a url of type http is the newer way',
    { url: 'https://a.example/mcp', type: 'http' },
    { kind: 'http', orSse: false },
  ],
  ['a url of type sse is the older way', { url: 'https://a.example/sse', type: 'sse' }, { kind: 'sse' }],
  ['a command of type stdio is a program', { command: 'a', type: 'stdio' }, { kind: 'stdio' }],
])('%s', (_name, value, source) => {
  expect(parse(value).source).toMatchObject(source);
});

test.each([
  ['$TOKEN', 'abc'],
  ['${TOKEN}', 'abc'],
  ['${env:TOKEN}', 'abc'],
  ['${env:NONE}', ''],
  ['${NONE:-else}', 'else'],
  ['${TOKEN:-else}', 'abc'],
  ['$NONE', '$NONE'],
  ['a$$b', 'a$$b'],
  ['costs $5', 'costs $5'],
  ['${workspaceFolder}/x', '/code/one/x'],
  ['${workspacePath}${/}x', `/code/one${sep}x`],
  ['${workspaceFolderBasename}', 'one'],
  ['${userHome}', '/home/ada'],
  ['${input:pin}', '${input:pin}'],
])('%s becomes %s', (text, expected) => {
  expect(parse({ command: 'a', args: [text], env: { A: text } }).source).toMatchObject({
    args: [expected],
    env: { A: expected },
  });
});

test('inputs are named, so that the user can be asked', () => {
  expect(parse({ command: 'a', args: ['${input:pin}'], env: { B: '${input:name}' } }).inputs).toEqual([
    'pin',
    'name',
  ]);
});

test('what the file says about its inputs is how the user is asked', () => {
  const inputs = [
    { id: 'pin', type: 'promptString', description: 'Your pin', password: true },
    {
      id: 'zone',
      type: 'pickString',
      description: 'Which zone',
      options: ['north', 'south'],
      default: 'north',
    },
    { id: 'port', type: 'promptString', default: '8080' },
    'nonsense',
  ];
  const config = parse({
    command: 'a',
    args: ['${input:pin}', '${input:zone}', '${input:toString}'],
    inputs,
  });
  expect(config.inputs).toEqual(['pin', 'zone', 'toString']);
  expect(config.inputs.map(id => questionForInput(config, id))).toEqual([
    { header: 'pin', text: 'Your pin', field: { kind: 'text' } },
    {
      header: 'zone',
      text: 'Which zone',
      optional: true,
      otherwise: 'north',
      field: { kind: 'choice', options: [{ label: 'north' }, { label: 'south' }], multiple: false },
    },
    { header: 'toString', text: 'toString', field: { kind: 'text' } },
  ]);
  expect(questionForInput(config, 'port')).toEqual({
    header: 'port',
    text: 'port',
    optional: true,
    otherwise: '8080',
    field: { kind: 'text', placeholder: '8080' },
  });
});

test.each([
  [{ serverUrl: 'https://a.b/mcp' }, { kind: 'http', url: 'https://a.b/mcp', orSse: true }],
  [{ url: 'https://a.b/sse', transport: 'sse' }, { kind: 'sse' }],
  [
    { url: 'https://a.b/mcp', transport: 'streamable-http' },
    { kind: 'http', orSse: false },
  ],
  [{ command: 'a', transportType: 'stdio' }, { kind: 'stdio' }],
  [{ type: 'local', command: 'a', tools: ['*'] }, { kind: 'stdio' }],
  [{ type: 'remote', url: 'https://a.b/mcp' }, { kind: 'http' }],
  [
    {
      command: 'a',
      enabled: true,
      disabled: false,
      autoApprove: ['x'],
      alwaysAllow: [],
      dev: { watch: '*' },
    },
    { kind: 'stdio' },
  ],
  [
    { command: 'a', args: ['${CLAUDE_PROJECT_DIR}/b', '${CLAUDE_PROJECT_DIR:-.}/c'] },
    { args: ['/code/one/b', './c'] },
  ],
])('%j is read as the program means it that it was written for', (value, source) => {
  expect(parse(value).source).toMatchObject(source);
});

test.each([
  [{ command: 'a', disabled: true }, 'disabled'],
  [{ url: 'https://a.b', enabled: false }, 'enabled'],
])('%j does not run', (value, key) => {
  expect(problemOf(value)).toBe(`The server box does not run: \`${key}\` in its entry disables it.`);
});

test("an extension's server runs in its folder, and knows it", () => {
  const config = parse({ command: '${extensionPath}${/}run', cwd: 'sub' }, extension);
  expect(config.source).toMatchObject({ command: `/ext/tides${sep}run`, cwd: join('/ext/tides', 'sub') });
});

test('only the user can say that a server need not be asked about', () => {
  const value = { command: 'a', trust: true };
  expect([user, workspace, extension].map(origin => parse(value, origin).trusted)).toEqual([
    true,
    false,
    false,
  ]);
});

test('tools may be named with arguments, as the other program does', () => {
  const config = parse({ command: 'a', includeTools: ['read(path)', 'list'], excludeTools: ['list'] });
  expect([config.includeTools, config.excludeTools]).toEqual([['read', 'list'], ['list']]);
});

const wrong = 'The server box is ignored: ';
test.each([
  [7, 'its entry is not an object'],
  [{}, 'it needs a command or a url'],
  [{ command: 7 }, 'command must be a string'],
  [{ command: ' ' }, 'its command is empty'],
  [{ command: 'a', args: 'b' }, 'args must be a list of strings'],
  [{ command: 'a', args: [7] }, 'args.0 must be a string'],
  [{ command: 'a', env: { A: {} } }, 'env.A must be a string'],
  [{ command: 'a', timeout: 'long' }, 'timeout must be a number of milliseconds'],
  [{ command: 'a', timeout: 0 }, 'timeout must be more than 0'],
  [{ command: 'a', trust: 'yes' }, 'trust must be true or false'],
  [{ command: 'a', oauth: 7 }, 'oauth must be an object'],
  [{ command: 'a', cwd: '${config:x}' }, 'in its cwd, it uses ${config:x}, which Folio does not support'],
  [
    { command: '${extensionPath}/a' },
    'in its command, it uses ${extensionPath}, which no extension provides',
  ],
  [{ type: 'stdio' }, 'its type is stdio, but it has no command'],
  [{ type: 'pigeon', url: 'https://a.example' }, 'its type "pigeon" must be stdio, http or sse'],
  [{ tcp: 'a:1' }, 'Folio does not support tcp, only stdio, http and sse'],
  [{ url: 'file:///etc' }, 'its url "file:///etc" must begin with http:// or https://'],
  [{ url: 'https://me:pw@a.example' }, 'its url holds a password; use a header instead'],
  [
    { url: 'https://a.example', headers: { A: 'Bearer $NONE' } },
    'in its header A, it uses $NONE, which is not set',
  ],
  [
    { url: 'https://a.example', oauth: { redirectUri: 'https://b.example' } },
    'its oauth.redirectUri is not an address of this computer, such as http://127.0.0.1:7777/callback',
  ],
])('%j is refused in one sentence', (value, why) => {
  expect(problemOf(value)).toBe(`${wrong}${why}. Correct its entry.`);
});

test('a workspace does not get the keys of Folio itself, whatever it calls them', () => {
  const value = { url: 'https://a.example', headers: { A: '$GEMINI_API_KEY' } };
  expect(problemOf(value, workspace)).toContain('a key of Folio, which workspaces cannot use');
  expect(problemOf({ command: 'a', env: { A: '${env:GEMINI_API_KEY}' } }, workspace)).toContain(
    'a key of Folio',
  );
  expect(problemOf(value)).toBe('no problem');
});

test.each([
  ['vscode', 'its name is reserved for Folio, VS Code or an extension'],
  ['Folio', 'its name is reserved for Folio, VS Code or an extension'],
  ['VSCode', 'its name is reserved for Folio, VS Code or an extension'],
  ['extension:a.b', 'its name is reserved for Folio, VS Code or an extension'],
  ['git\u202ebuh', 'its name contains invisible characters'],
  ['git\nhub', 'its name contains invisible characters'],
  [' ', 'it has no name'],
  ['x'.repeat(101), 'its name is longer than 100 characters'],
])('a server cannot be called %j', (name, why) => {
  const parsed = parseServer({ name, origin: user, value: { command: 'a' } }, place);
  expect(parsed.ok ? '' : parsed.problem).toContain(`is ignored: ${why}. Choose another name for it.`);
});

test('a header that cannot be sent is said to be so without what it holds', async () => {
  const env = { ...place.env, KEY: 'abc\n', BAD: 'se\ncret' };
  const sourceOf = (value: string) => {
    const entry = { httpUrl: 'https://a.example/mcp', headers: { 'X-Key': value } };
    const parsed = parseServer({ name: 'box', origin: user, value: entry }, { ...place, env });
    if (!parsed.ok) throw new Error(parsed.problem);
    return resolveTransportConfig(parsed.config.source, new Map([['pin', 'sécr€t']]));
  };
  expect(await sourceOf('$KEY')).toMatchObject({ headers: { 'X-Key': 'abc' } });
  const sentence =
    'Its header X-Key contains characters that are not allowed in a header. Correct its entry, or the variable that it uses.';
  await expect(sourceOf('$BAD')).rejects.toThrow(sentence);
  await expect(sourceOf('${input:pin}')).rejects.toThrow(sentence);
});
