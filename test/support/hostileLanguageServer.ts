/*
 * A language server that misbehaves in the way that its argument names, and is well-behaved in all else. It runs as a
 * program of its own: `node hostileLanguageServer.ts BEHAVIOUR`. Every word of a line is a symbol to it.
 */

import { readFileSync, writeSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

type Json = Readonly<Record<string, unknown>>;

/** As far as it looks into them. */
interface Params extends Json {
  readonly textDocument?: { readonly uri: string; readonly version: number };
  readonly newName?: string;
  readonly id?: number;
  readonly data?: unknown;
}

interface Message extends Json {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: unknown;
}

const [behaviour = '', subject = ''] = process.argv.slice(2);
const is = (name: string, method?: string) =>
  behaviour === name && (method === undefined || subject === method);

const range = (line: number, from: number, to: number) => ({
  start: { line, character: from },
  end: { line, character: to },
});

/** Everything in one go, or byte by byte. */
function print(text: string): void {
  const bytes = Buffer.from(text);
  if (is('torn')) for (const byte of bytes) writeSync(1, Uint8Array.of(byte));
  else writeSync(1, bytes);
}

function send(message: Json): void {
  const text = JSON.stringify({ jsonrpc: '2.0', ...message });
  if (is('wrong lengths')) {
    print(`Content-Length: 5\r\n\r\n{"jsonrpc":"2.0","id":9999}`);
    print(`Content-Length: 40\r\n\r\n{"jsonrpc":"2.0"`);
    print('\n'.repeat(24));
  }
  if (is('torn')) print('Listening on nothing.\n');
  print(`Content-Length: ${Buffer.byteLength(text)}\r\nContent-Type: application/x\r\n\r\n${text}`);
}

const versions = new Map<string, number>();
const waiting = new Map<number, Message>();

function receive(message: Message): void {
  const { id, method, params = {} } = message;
  if (method === undefined) process.stderr.write(`answered ${JSON.stringify(message)}\n`);
  else if (id === undefined) hear(method, params);
  else if (is('late', method)) waiting.set(id, message);
  else reply(id, method, params);
}

function reply(id: number, method: string, params: Params): void {
  if (is('crash', method)) {
    process.stderr.write('I cannot continue.\n');
    process.exit(3);
  }
  if (is('silent', method)) return;
  if (is('refuse', method)) send({ id, error: { code: -32_603, message: 'I will not.' } });
  else send({ id, result: is('nonsense', method) ? 42 : answer(method, params) });
}

function hear(method: string, params: Params): void {
  const { uri = '', version = 0 } = params.textDocument ?? {};
  if (method === 'exit') process.exit(0);
  if (method === '$/cancelRequest') {
    const late = waiting.get(params.id ?? -1);
    if (late) send({ id: late.id, result: answer(late.method!, late.params ?? {}) });
  }
  if (method === 'initialized' && is('asks')) {
    send({ id: 1, method: 'workspace/configuration', params: { items: [{ section: 'a.b' }, {}] } });
    send({ id: 2, method: 'workspace/applyEdit', params: { edit: {} } });
    send({ id: 3, method: 'hostile/unknown', params: [] });
  }
  if (method !== 'textDocument/didOpen' && method !== 'textDocument/didChange') return;
  versions.set(uri, version);
  if (behaviour.startsWith('publishes') && !is('publishes never')) publish(uri, version);
}

/** Of a text with "bad" in it this is a problem. An old one comes late, or without saying which it is. */
function publish(uri: string, version: number): void {
  const of = (text: string) =>
    text.includes('bad') ? [{ range: range(0, 0, 1), severity: 1, message: 'This is bad.' }] : [];
  const now = { uri, version, diagnostics: of(textOf(uri)) };
  const older = { uri, version: version - 1, diagnostics: of(now.diagnostics.length > 0 ? '' : 'bad') };
  const say = (params: Json) => send({ method: 'textDocument/publishDiagnostics', params });
  if (is('publishes stale')) say(older);
  say(now);
  if (is('publishes stale')) say(older);
}

function textOf(uri: string): string {
  return readFileSync(fileURLToPath(uri), 'utf8');
}

function answer(method: string, params: Params): unknown {
  const { uri } = params.textDocument ?? { uri: '' };
  switch (method) {
    case 'initialize':
      return { capabilities: capabilities() };
    case 'textDocument/documentSymbol':
      return is('huge') ? 'x'.repeat(40_000_000) : symbols(uri);
    case 'textDocument/references':
      return Array.from({ length: is('many') ? 200_000 : 1 }, () => ({ uri, range: range(0, 0, 1) }));
    case 'textDocument/rename':
      return renaming(uri, params.newName ?? '');
    case 'textDocument/codeAction':
      return [
        { title: 'Works', edit: { changes: { [uri]: [{ range: range(0, 0, 0), newText: '// ' }] } } },
        { title: 'Is worked out', data: 1 },
        { title: 'Runs something', command: { title: 'x', command: 'x' } },
        { title: 'Is a command', command: 'x' },
        { title: 'Is disabled', disabled: { reason: 'not today.' } },
        { title: 'Is of the file', kind: 'source.fixAll', edit: { changes: {} } },
      ];
    case 'codeAction/resolve':
      return params.data === 1
        ? { ...params, edit: { changes: { [openUri()]: [{ range: range(0, 0, 0), newText: '/**/' }] } } }
        : params;
    default:
      return null;
  }
}

function openUri(): string {
  return [...versions.keys()][0] ?? '';
}

function capabilities(): Json {
  return {
    positionEncoding: is('other columns') ? 'utf-8' : 'utf-16',
    textDocumentSync: 1,
    documentSymbolProvider: true,
    referencesProvider: true,
    renameProvider: true,
    codeActionProvider: { resolveProvider: true },
  };
}

function symbols(uri: string): unknown {
  const words = [...textOf(uri).matchAll(/\w+/g)].map(({ 0: name, index }) => {
    const where = range(0, index, index + name.length);
    return { name, kind: 12, range: where, selectionRange: where };
  });
  if (!is('deep')) return words;
  let inner: Json = words[0]!;
  for (let depth = 0; depth < 2_000; depth++) inner = { ...words[0]!, children: [inner] };
  return [inner];
}

/** @param subject a path below the folder of the file, where an edit leads elsewhere */
function renaming(uri: string, newText: string): unknown {
  const edit = { range: range(0, 0, 3), newText };
  const to = (where: string) => new URL(where, uri).href;
  switch (behaviour) {
    case 'older version':
      return {
        documentChanges: [{ textDocument: { uri, version: (versions.get(uri) ?? 0) - 1 }, edits: [edit] }],
      };
    case 'makes a file':
      return { documentChanges: [{ kind: 'create', uri: to('new.ts') }] };
    case 'behind the end':
      return { changes: { [uri]: [{ range: range(4_000, 0, 3), newText }] } };
    case 'overlapping':
      return { changes: { [uri]: [edit, { range: range(0, 1, 2), newText }] } };
    case 'whole file':
      return {
        changes: {
          [uri]: [{ range: { ...range(0, 0, 0), end: { line: 2 ** 31 - 1, character: 0 } }, newText }],
        },
      };
    case 'elsewhere':
      return { changes: { [pathToFileURL(subject).href]: [edit] } };
    case 'no file':
      return { changes: { 'untitled:Untitled-1': [edit] } };
    default:
      return { documentChanges: [{ textDocument: { uri, version: versions.get(uri) }, edits: [edit] }] };
  }
}

let input = Buffer.alloc(0);
process.stdin.on('data', bytes => {
  input = Buffer.concat([input, bytes]);
  for (;;) {
    const end = input.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = Number(/Content-Length: (\d+)/.exec(input.toString('latin1', 0, end))?.[1]);
    const text = input.subarray(end + 4, end + 4 + length);
    if (text.length < length) return;
    input = input.subarray(end + 4 + length);
    receive(JSON.parse(text.toString('utf8')));
  }
});
if (is('noise')) for (let line = 0; line < 5_000; line++) process.stderr.write(`line ${line} of many\n`);
if (is('babble'))
  for (let line = 0; line < 2_000; line++) print(`This is a page about ${line}.\n\n`.padEnd(100));
