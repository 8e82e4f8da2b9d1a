import { homedir } from 'node:os';
import { expect, test } from 'vitest';
import {
  findImports,
  readSources,
  repositoryRoot,
  resolveImport,
  type SourceFile,
} from './support/sourceFiles.ts';

/** One row of the table in docs/architecture.md. A folder may always import itself. */
interface Layer {
  /** A folder, or one file, below src. The longest match counts. */
  readonly name: string;
  /** Folders and single files below src. */
  readonly sources: readonly string[];
  /** Packages; `node:*` stands for all of Node's own. */
  readonly packages: readonly string[];
}

const foundation = ['extension/base', 'extension/platform'];
const toolContract = [
  'extension/core/tool.ts',
  'extension/core/paths.ts',
  'extension/core/folderPaths.ts',
  'extension/core/model.ts',
];
const everything = ['protocol', 'extension'];
/** The user's language, which all rooms speak. */
const language = 'protocol/language.ts';

const layers: readonly Layer[] = [
  { name: 'protocol', sources: [], packages: [] },
  // What comes from outside is parsed by the same rows that the types follow from.
  ...[
    'intentions.ts',
    'eventTable.ts',
    'eventMembers.ts',
    'comments.ts',
    'schemaTable.ts',
    'background.ts',
  ].map(name => ({
    name: `protocol/${name}`,
    sources: ['protocol'],
    packages: ['zod'],
  })),
  // Text is cut in the same way for the host and for the panel.
  { name: 'extension/base', sources: [language, 'protocol/words/cutText.ts'], packages: [] },
  {
    name: 'extension/platform',
    // What the user does in a page of the browser passes from its tab as it is.
    sources: ['extension/base', language, 'protocol/panel/pageTab.ts'],
    packages: ['node:vm'],
  },
  { name: 'extension/notebooks', sources: ['extension/base'], packages: [] },
  {
    name: 'extension/core',
    // Of the shell only what is known about a command, which is plain data, and the forms in which rules compare it.
    sources: [
      ...foundation,
      'protocol',
      'extension/review',
      'extension/notebooks',
      'extension/shell/classify/analysis.ts',
      'extension/shell/classify/commandForms.ts',
      'extension/shell/classify/formParser.ts',
    ],
    packages: ['zod', 'smol-toml', 'yaml', 'node:path', 'node:crypto'],
  },
  {
    name: 'extension/models',
    // A part that a service refused is known to the history by a key, and a footer ends it without being kept.
    sources: [
      ...foundation,
      'protocol',
      'extension/core/model.ts',
      'extension/core/history/footer.ts',
      'extension/core/history/refusedParts.ts',
    ],
    packages: [
      '@cf-wasm/photon/others',
      'eventsource-parser',
      'jsonc-parser',
      '@google/genai',
      'google-auth-library',
      'openai',
      '@anthropic-ai/sdk',
      '@aws-sdk/credential-provider-node',
      '@smithy/core/event-streams',
      '@smithy/hash-node',
      '@smithy/signature-v4',
      'node:crypto',
    ],
  },
  {
    name: 'extension/tools',
    sources: [
      ...foundation,
      ...toolContract,
      // A tool that runs a program writes words into its line, as commands of prompts do.
      'extension/core/commands/template/quoteArgument.ts',
      // What a prompt names is read as tools read it.
      'extension/core/mentions/sources.ts',
      'extension/core/mentions/parseMentions.ts',
      'protocol',
      'extension/review',
      'extension/notebooks',
    ],
    packages: ['zod', 'picomatch', 'ignore', 'html-to-text', 'htmlparser2', 'node:path', 'node:crypto'],
  },
  {
    name: 'extension/mcp',
    sources: [
      ...foundation,
      'protocol',
      'extension/core/tool.ts',
      'extension/core/model.ts',
      'extension/core/customizations/files/customization.ts',
    ],
    packages: ['@modelcontextprotocol/client', 'zod', 'node:*'],
  },
  {
    name: 'extension/a2a',
    sources: [
      ...foundation,
      language,
      'extension/core/agents/remote/remoteAgents.ts',
      'extension/core/agents/remote/parseAgentCard.ts',
    ],
    packages: ['eventsource-parser'],
  },
  {
    name: 'extension/otherAgents',
    sources: [...foundation, language, 'extension/core/imports/otherAgentSessions.ts'],
    packages: ['node:*'],
  },
  {
    name: 'extension/observers',
    sources: [...foundation, 'protocol', 'extension/core/recording/maskEvent.ts'],
    packages: ['node:*'],
  },
  {
    name: 'extension/acp',
    sources: [...foundation, language, 'extension/core/external/externalAgent.ts'],
    packages: ['@agentclientprotocol/sdk'],
  },
  {
    name: 'extension/lsp',
    sources: [...foundation, language],
    packages: ['vscode-jsonrpc/node', 'zod', 'node:*'],
  },
  {
    name: 'extension/review',
    sources: [...foundation, 'protocol', 'extension/notebooks'],
    packages: ['diff'],
  },
  { name: 'extension/shell', sources: [...foundation, 'protocol'], packages: ['web-tree-sitter'] },
  { name: 'extension/rehearsal', sources: ['extension/base'], packages: ['node:*'] },
  {
    name: 'extension/node',
    sources: [...foundation, language],
    packages: [
      'node:*',
      'ignore',
      'picomatch',
      'json5',
      'jsonc-parser',
      'smol-toml',
      'yaml',
      'cross-spawn',
      'iconv-lite',
      'jschardet',
    ],
  },
  {
    name: 'extension/vscode',
    sources: [
      ...foundation,
      'protocol',
      'extension/core',
      'extension/tools',
      'extension/review',
      'extension/notebooks',
      'extension/rehearsal',
    ],
    packages: ['vscode', 'node:*', 'zod'],
  },
  { name: 'extension/extension.ts', sources: everything, packages: ['vscode', 'node:*'] },
  { name: 'extension/compose.ts', sources: everything, packages: ['vscode', 'node:*'] },
  { name: 'extension/compose', sources: everything, packages: ['vscode', 'node:*'] },
  // What both entries share.
  { name: 'extension/compose/makeSessionManager.ts', sources: everything, packages: ['node:*'] },
  { name: 'extension/headless.ts', sources: everything, packages: ['node:*'] },
  {
    name: 'extension/scaleThread.ts',
    sources: ['extension/models', 'extension/node'],
    packages: ['node:*'],
  },
  {
    name: 'extension/headless',
    sources: everything,
    packages: ['node:*', 'zod', 'smol-toml', 'yaml'],
  },
  {
    name: 'extension/headless/acp',
    sources: [
      ...foundation,
      'protocol',
      'extension/core',
      'extension/node',
      'extension/headless',
      'extension/compose/serverTools.ts',
    ],
    packages: ['@agentclientprotocol/sdk', 'node:*'],
  },
  {
    name: 'extension/headless/mcp',
    sources: [...foundation, 'protocol', 'extension/core', 'extension/node', 'extension/headless'],
    packages: ['@modelcontextprotocol/server', 'node:*', 'zod'],
  },
  {
    name: 'webview',
    // One rule says which characters hide something, and one what a terminal would show, right before the eye too.
    sources: ['protocol', 'extension/base/hiddenText.ts', 'extension/base/terminalText.ts'],
    packages: [
      'preact',
      '@preact/signals',
      '@vscode/webview-ui-toolkit',
      '@vscode/codicons',
      'marked',
      'dompurify',
      'highlight.js',
      '@dagrejs/dagre',
    ],
  },
];

test('every file imports only what its layer may', async () => {
  const sources = await readSources('src');
  const offences = sources.flatMap(file => {
    const layer = findLayer(file.path);
    if (layer === undefined) return [`${file.path} is in no layer`];
    return findImports(file.text)
      .filter(specifier => !mayImport(layer, file.path, specifier))
      .map(specifier => `${file.path} imports ${specifier}, which ${layer.name} may not`);
  });
  expect(sources.length).toBeGreaterThan(0);
  expect(offences).toEqual([]);
});

test('the layer check knows an offence when it sees one', () => {
  const core = findLayer('src/extension/core/turn.ts')!;
  const from = 'src/extension/core/turn.ts';
  expect(findImports("import type { A } from '../node/a.ts';\nexport * from 'vscode';")).toEqual([
    '../node/a.ts',
    'vscode',
  ]);
  expect(findImports("const b = await import('@google/genai');\nimport './b.css';").toSorted()).toEqual([
    './b.css',
    '@google/genai',
  ]);
  expect(mayImport(core, from, '../node/a.ts')).toBe(false);
  expect(mayImport(core, from, 'vscode')).toBe(false);
  expect(mayImport(core, from, '../../../test/support/a.ts')).toBe(false);
  expect(mayImport(core, from, '../platform/clock.ts')).toBe(true);
});

test('nothing that the headless entry reaches imports vscode', async () => {
  const byPath = new Map((await readSources('src')).map(file => [file.path, file]));
  const reached = new Set(['src/extension/headless.ts']);
  const offences: string[] = [];
  for (const path of reached) {
    const file = byPath.get(path);
    if (file === undefined) {
      offences.push(`${path} is missing`);
      continue;
    }
    for (const specifier of findImports(file.text)) {
      if (specifier === 'vscode') offences.push(path);
      if (specifier.startsWith('.')) reached.add(resolveImport(path, specifier));
    }
  }
  expect(offences).toEqual([]);
});

test('no test replaces a module', async () => {
  const replacing = new RegExp(['vi', '(mock|doMock)\\('].join('\\.'));
  expect(offenders(await readSources('test'), replacing)).toEqual([]);
});

test('the schema library comes in as a namespace, since only then what is not used stays out of the bundle', async () => {
  expect(offenders(await readSources('src'), /import \{[^}]*\} from 'zod'/)).toEqual([]);
});

test('the page folds no events', async () => {
  const folding = (await readSources('src/webview')).filter(({ text }) =>
    findImports(text).some(specifier => specifier.includes('/fold/reduce')),
  );
  expect(folding.map(({ path }) => path)).toEqual([]);
});

test('only one file of the webview speaks to VS Code', async () => {
  expect(offenders(await readSources('src/webview'), /acquireVsCodeApi/)).toEqual([
    'src/webview/panel/host.ts',
  ]);
});

test('no source file is longer than 400 lines', async () => {
  const long = (await readSources('src')).filter(({ text }) => text.split('\n').length > 401);
  expect(long.map(file => file.path)).toEqual([]);
});

test('no literal is spread, whole or under a condition', async () => {
  const files = await readSources('src');
  expect(offenders(files, /\.\.\.\{/)).toEqual([]);
  expect(offenders(files, /\.\.\.\([^()]*\?\s*(?:\{\}|\{[^{}]*\}\s*:\s*\{\})/)).toEqual([]);
  expect(offenders(files, spreadUnderCondition)).toEqual([]);
  expect(files.flatMap(({ path, text }) => spreadLater(text).map(name => `${path}: ${name}`))).toEqual([]);
});

test('the check of spreads knows the forms that a condition takes', () => {
  const spreads = ['...(x && { x })', '...(f(x) > 0 &&\n  { x: [] })', '...(a ? { a } : b === 1 && { b })'];
  expect(spreads.filter(text => !spreadUnderCondition.test(text))).toEqual([]);
  expect(spreadUnderCondition.test('...(a ?? b), c && { d }')).toBe(false);
  const kept = 'const kept = x === undefined ? {} : { x };\nreturn { y, ...kept };';
  expect(spreadLater(kept)).toEqual(['kept']);
  expect(spreadLater('const kept = f(x) ? { x: { y } } : {};\nreturn { ...kept };')).toEqual(['kept']);
  expect(spreadLater('const all = file ? await read(file) : {};\nreturn { ...all };')).toEqual([]);
  expect(spreadLater('const kept = x ? {} : { x };\nreturn kept;')).toEqual([]);
});

test('no file names a folder of this machine or holds a key', async () => {
  const files = (await Promise.all(['src', 'test', 'scripts'].map(readSources))).flat();
  // A short home folder such as "/" would be found everywhere.
  const places = [repositoryRoot, homedir()].filter(place => place.length > 4).map(place => `${place}/`);
  const named = files.filter(({ text }) => places.some(place => text.includes(place)));
  expect(named.map(file => file.path)).toEqual([]);
  expect(offenders(files, /AIza[\w-]{35}|-----BEGIN [A-Z ]*PRIVATE KEY-----\n/)).toEqual([]);
});

/** `...(x && { x })`, whatever is called in its condition. */
const spreadUnderCondition = /\.\.\.\((?:[^()]|\([^()]*\))*&&\s*\{/;

/** Names of what holds members under a condition, and is spread later: `const kept = x ? { x } : {}` and `...kept`. */
function spreadLater(text: string): readonly string[] {
  const made = text.matchAll(/const (\w+) =([^;]*);/g);
  return [...made].flatMap(([, name = '', value = '']) => {
    const isConditional = /\?\s*\{\}\s*:\s*\{|\}\s*:\s*\{\}\s*$/.test(value);
    return isConditional && new RegExp(`\\.\\.\\.${name}\\b`).test(text) ? [name] : [];
  });
}

function findLayer(path: string): Layer | undefined {
  const below = path.replace(/^src\//, '');
  return layers.filter(({ name }) => isWithin(below, name)).sort((a, b) => b.name.length - a.name.length)[0];
}

function mayImport(layer: Layer, from: string, specifier: string): boolean {
  if (!specifier.startsWith('.')) return layer.packages.some(name => isPackage(specifier, name));
  const target = resolveImport(from, specifier);
  // What `npm run l10n` makes is data.
  if (target === 'l10n/page.json') return layer.name === 'extension/vscode';
  if (!target.startsWith('src/')) return false;
  const below = target.slice('src/'.length);
  return [layer.name, ...layer.sources].some(name => isWithin(below, name));
}

function isPackage(specifier: string, name: string): boolean {
  if (name === 'node:*') return specifier.startsWith('node:');
  return isWithin(specifier, name);
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function offenders(files: readonly SourceFile[], pattern: RegExp): readonly string[] {
  return files.filter(({ text }) => pattern.test(text)).map(file => file.path);
}
