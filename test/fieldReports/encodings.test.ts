import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { WorkspacePaths } from '../../src/extension/core/paths.ts';
import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import { findRipgrep, packagedRipgrep } from '../../src/extension/node/search/findRipgrep.ts';
import { NodeSearch } from '../../src/extension/node/search/nodeSearch.ts';
import type { DecodeFile } from '../../src/extension/node/search/otherEncodings.ts';
import { RipgrepSearch } from '../../src/extension/node/search/ripgrepSearch.ts';
import { WalkSearch } from '../../src/extension/node/search/walkSearch.ts';
import type { FileSystem } from '../../src/extension/platform/fileSystem.ts';
import { type Search, SearchError, type TextQuery } from '../../src/extension/platform/search.ts';
import { createMentionFiles } from '../../src/extension/tools/createMentionFiles.ts';
import { readFileTool as readTool } from '../../src/extension/tools/readFile.ts';
import { readManyFilesTool } from '../../src/extension/tools/readManyFiles.ts';
import { replaceTool } from '../../src/extension/tools/replace.ts';
import { writeFileTool as writeTool } from '../../src/extension/tools/writeFile.ts';
import { makeDiskWorld } from '../support/diskWorld.ts';
import { eachTest } from '../support/eachTest.ts';
import { text as answer, call } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import { fc } from '../support/properties.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { useTool, writingTo } from '../support/useTool.ts';
import type { WorldCase } from './report.ts';

interface EncodedCase extends WorldCase {
  readonly encoding: string;
  readonly bom?: true;
  /** What the model is told; `undefined`: nothing. */
  readonly reported: string | undefined;
  readonly words: string;
  /** A character that the encoding lacks. */
  readonly lacks?: string;
}

const cases: readonly EncodedCase[] = [
  {
    title: 'Windows-1252',
    source: 'report',
    encoding: 'windows1252',
    reported: 'Windows-1252, guessed',
    words: 'Größe der Straße – “naïve” café',
    lacks: '漢',
  },
  {
    title: 'Windows-1250',
    source: 'report',
    encoding: 'windows1250',
    reported: 'Windows-1250, guessed',
    words: 'Zażółć gęślą jaźń, proszę',
    lacks: '漢',
  },
  {
    title: 'Windows-1251',
    source: 'report',
    encoding: 'windows1251',
    reported: 'Windows-1251, guessed',
    words: 'Привет, мир: имя пользователя',
    lacks: 'é',
  },
  {
    title: 'KOI8-R',
    source: 'report',
    encoding: 'koi8r',
    reported: 'KOI8-R, guessed',
    words: 'Привет, мир: имя пользователя',
    lacks: 'é',
  },
  {
    title: 'GBK',
    source: 'report',
    encoding: 'gbk',
    reported: 'GBK, guessed',
    words: '读取配置文件 并返回结果',
    lacks: '😀',
  },
  {
    title: 'GB18030 with a character of four bytes',
    source: 'report',
    encoding: 'gb18030',
    reported: 'GB18030, guessed',
    words: '读取配置文件 😀 并返回结果',
  },
  {
    title: 'Big5',
    source: 'report',
    encoding: 'cp950',
    reported: 'CP950, guessed',
    words: '讀取設定檔案，這是繁體中文的說明',
    lacks: '😀',
  },
  {
    title: 'Shift_JIS',
    source: 'report',
    encoding: 'shiftjis',
    reported: 'Shift_JIS, guessed',
    words: '設定ファイルを読み込む（表示）',
    lacks: '😀',
  },
  {
    title: 'EUC-JP',
    source: 'report',
    encoding: 'eucjp',
    reported: 'EUC-JP, guessed',
    words: '設定ファイルを読み込む（表示）',
    lacks: '😀',
  },
  {
    title: 'EUC-KR',
    source: 'report',
    encoding: 'euckr',
    reported: 'EUC-KR, guessed',
    words: '설정 파일을 읽고 결과를 표시합니다',
    lacks: '😀',
  },
  {
    title: 'UTF-16 LE without a mark',
    source: 'report',
    encoding: 'utf16le',
    reported: 'UTF-16 LE, guessed',
    words: 'Größe 設定 😀',
  },
  {
    title: 'UTF-16 BE without a mark',
    source: 'trial',
    encoding: 'utf16be',
    reported: 'UTF-16 BE, guessed',
    words: 'Größe 設定 😀',
  },
  {
    title: 'UTF-16 LE with a mark',
    source: 'report',
    encoding: 'utf16le',
    bom: true,
    reported: 'UTF-16 LE',
    words: 'Größe 設定 😀',
  },
  {
    title: 'UTF-16 BE with a mark',
    source: 'trial',
    encoding: 'utf16be',
    bom: true,
    reported: 'UTF-16 BE',
    words: 'Größe 設定 😀',
  },
  {
    title: 'UTF-8 with a mark',
    source: 'report',
    encoding: 'utf8',
    bom: true,
    reported: undefined,
    words: 'Größe 設定 😀',
  },
];

function encode(text: string, { encoding, bom = false }: { encoding: string; bom?: boolean }): Buffer {
  return iconv.encode(text, encoding.replace('utf16', 'utf16-'), { addBOM: bom });
}

const packaged = await findRipgrep(packagedRipgrep());
const engines: readonly (readonly [string, (decode?: DecodeFile) => Search])[] = [
  ['walking', decode => new WalkSearch({}, () => [], decode)],
  ['ripgrep', decode => new RipgrepSearch(packaged!, {}, () => [], decode)],
];

describe('a file in another encoding', () => {
  let root: string;
  let path: string;
  let files: FileSystem;
  beforeEach(async () => {
    root = await temporaryFolder('folio-encodings-');
    path = join(root, 'a.txt');
    files = new NodeFileSystem();
  });

  const ports = () => ({ files, paths: new WorkspacePaths(files, [root]) });
  const bytes = () => readFile(path);
  const edit = (old_string: string, new_string: string) =>
    useTool(writingTo(files, replaceTool(ports())), {
      file_path: 'a.txt',
      instruction: 'i',
      old_string,
      new_string,
    });
  const write = (content: string) =>
    useTool(writingTo(files, writeTool(ports())), { file_path: 'a.txt', content });

  it.each(cases)('in $title is read, and the model learns of the encoding', async row => {
    await writeFile(path, encode(`x = 1\n${row.words}\n`, row));
    const search = new NodeSearch();
    const read = await useTool(readTool(ports()), { file_path: 'a.txt' });
    const many = await useTool(
      readManyFilesTool({ ...ports(), search, ignoredFolders: () => [], heedsGeminiIgnore: () => true }),
      { include: ['a.txt'] },
    );
    for (const { text } of [read, many]) {
      expect(text).toContain(`x = 1\n${row.words}`);
      if (row.reported) expect(text).toContain(`[Encoding: ${row.reported}. Edits keep it.]`);
      else expect(text).not.toContain('Encoding');
    }
    const mention = await createMentionFiles({ ...ports(), search }).read(path, undefined);
    expect(mention).toMatchObject({ kind: 'text', text: `x = 1\n${row.words}`, encoding: row.reported });
  });

  it.each(cases.flatMap(row => engines.map(([name, search]) => ({ ...row, name, search }))))(
    'in $title is found by $name, by its words and by ASCII',
    async ({ name: _name, search, ...row }) => {
      await writeFile(join(root, 'b.txt'), `y = 2\n${row.words}\n`);
      await writeFile(path, encode(`x = 1\r\n${row.words} ok\nz = 3`, row));
      const find = async (pattern: string, options: Partial<TextQuery> = {}) => {
        const query = { path: root, pattern, caseSensitive: true, maxTotal: 10, ...options };
        const { files, total } = await search().findText(query, new AbortController().signal);
        const found = files.map(each => [
          each.path,
          ...each.lines.map(({ number, text }) => `${number} ${text}`),
        ]);
        return { total, found };
      };
      const word = row.words.slice(0, 4);
      expect(await find(word, { literal: true })).toEqual({
        total: 2,
        found: [
          [path, `2 ${row.words} ok`],
          [join(root, 'b.txt'), `2 ${row.words}`],
        ],
      });
      const ascii = { total: 1, found: [[path, `2 ${row.words} ok`, '3 z = 3']] };
      expect(await find('\\b[ok]{2}$', { after: 1, maxPerFile: 1, include: '*.txt' })).toEqual(ascii);
      expect((await find(' ok$', { path, before: 1, maxTotal: 1 })).found).toEqual([
        [path, '1 x = 1', `2 ${row.words} ok`],
      ]);
      expect((await find('.', { exclude: ['a.*'] })).found).toHaveLength(1);
      await writeFile(join(root, '.gitignore'), 'a.txt\n');
      await writeFile(join(root, '.geminiignore'), 'b.txt\n');
      expect((await find(word)).found).toEqual([]);
    },
  );

  it.each(cases)('in $title is edited in place, whatever its line endings', async row => {
    const text = (middle: string) => `${row.words}\r\n${middle} ${row.words}\n\r\n${row.words}`;
    await writeFile(path, encode(text('x = 1'), row));
    await edit('x = 1', `y = 2 ${row.words}`);
    expect(await bytes()).toEqual(encode(text(`y = 2 ${row.words}`), row));
    await edit(`y = 2 ${row.words}`, 'x = 1');
    expect(await bytes()).toEqual(encode(text('x = 1'), row));
  });

  it.each(cases)('in $title is overwritten in its encoding, also after it held ASCII alone', async row => {
    await writeFile(path, encode(`${row.words}\n`, row));
    await write('plain\n');
    expect(await bytes()).toEqual(encode('plain\n', row));
    await write(`${row.words}\nmore\n`);
    expect(await bytes()).toEqual(encode(`${row.words}\nmore\n`, row));
  });

  it.each(cases.filter(({ lacks }) => lacks !== undefined))(
    'in $title takes no character that $title lacks',
    async row => {
      const before = encode(`x = 1\n${row.words}\n`, row);
      await writeFile(path, before);
      const code = row.lacks!.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
      const name = row.reported!.replace(', guessed', '');
      const message = `encoded in ${name}, which lacks ${row.lacks} (U+${code}, line 2)`;
      await expect(edit(row.words, `${row.words}${row.lacks}`)).rejects.toThrow(message);
      await expect(write(`y\n${row.lacks}\n`)).rejects.toThrow(message);
      await expect(
        files.writeText(path, `y\n${row.lacks}`, { encoding: row.encoding, bom: false }),
      ).rejects.toThrow(message);
      expect(await bytes()).toEqual(before);
    },
  );

  it.each([
    ['UTF-8', [0xef, 0xbb, 0xbf]],
    ['UTF-16 LE', [0xff, 0xfe]],
    ['UTF-16 BE', [0xfe, 0xff]],
    ['nothing', []],
  ])('that holds the mark of %s alone keeps it', async (_name, mark) => {
    await writeFile(path, Uint8Array.from(mark));
    const { text, format } = await files.readText(path);
    expect(text).toBe('');
    await write('é\n');
    const written = await bytes();
    expect([...written.subarray(0, mark.length)]).toEqual(mark);
    expect(await files.readText(path)).toEqual({ text: 'é\n', format });
  });

  it.each([
    ['a program', [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0]],
    ['a picture', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
    ['compressed data', [0x1f, 0x8b, 0x08, 0x88, 0x41, 0xe9]],
    ['small numbers of 16 bits', [1, 0, 2, 0, 0x41, 0, 0x42, 0]],
    ['numbers of 32 bits', [0x41, 0, 0, 0, 0x42, 0, 0, 0]],
    ['UTF-32', [0xff, 0xfe, 0, 0, 0x41, 0, 0, 0]],
    ['half of UTF-16', [0xff, 0xfe, 0x41]],
  ])('is no text if it is %s', async (_name, content) => {
    await writeFile(path, Uint8Array.from(content));
    await expect(files.readText(path)).rejects.toMatchObject({ kind: 'notText' });
    await expect(write('x')).rejects.toThrow('no text');
    expect([...(await bytes())]).toEqual(content);
  });

  it('is read in the encoding that the user chose for it, and made in it', async () => {
    files = new NodeFileSystem(undefined, async () => ({ findChosen: async () => 'iso88592' }));
    await write('Größe\n');
    expect(await bytes()).toEqual(iconv.encode('Größe\n', 'iso88592'));
    await writeFile(path, iconv.encode('x = "ž"\n', 'iso88592'));
    const { text } = await useTool(readTool(ports()), { file_path: 'a.txt' });
    expect(text).toBe('[Encoding: ISO-8859-2. Edits keep it.]\nx = "ž"');
    await expect(edit('ž', '€')).rejects.toThrow('encoded in ISO-8859-2, which lacks € (U+20AC, line 1)');
    await edit('ž', 'ů');
    expect(await bytes()).toEqual(iconv.encode('x = "ů"\n', 'iso88592'));
  });

  it.each(engines)(
    'is found in the encoding that the user chose for its folder, by %s',
    async (_name, open) => {
      const chosen: Readonly<Record<string, string>> = { dos: 'cp850', latin: 'iso88592', wide: 'utf16le' };
      files = new NodeFileSystem(undefined, async () => ({
        findChosen: async each =>
          Object.entries(chosen).find(([folder]) => each.includes(`/${folder}/`))?.[1],
      }));
      for (const [folder, encoding] of Object.entries(chosen)) {
        await mkdir(join(root, folder));
        await writeFile(join(root, folder, 'a.txt'), encode('x\nčas Größe\n', { encoding }));
      }
      const search = open((each, content) => files.decode(each, content));
      const found = await search.findText(
        { path: root, pattern: 'größe', maxTotal: 10 },
        new AbortController().signal,
      );
      expect(found.files.map(({ path: each, lines }) => [each.slice(root.length), lines[0]!.number])).toEqual(
        [
          ['/dos/a.txt', 2],
          ['/latin/a.txt', 2],
          ['/wide/a.txt', 2],
        ],
      );
    },
  );

  it.each(engines)('is searched among programs and pictures, which stay out, by %s', async (_name, open) => {
    await writeFile(join(root, 'a.png'), Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
    await writeFile(join(root, 'b'), Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0xff, 0x0a]));
    await writeFile(path, encode('Größe\n', { encoding: 'windows1252' }));
    const query = { path: root, pattern: 'PNG|ELF|größe', maxTotal: 10 };
    const { files: found } = await open().findText(query, new AbortController().signal);
    expect(found.filter(each => !each.path.endsWith('.png')).map(each => each.path)).toEqual([path]);
    const wrong = { path: root, pattern: '(', maxTotal: 10 };
    await expect(open().findText(wrong, new AbortController().signal)).rejects.toThrow(SearchError);
    await expect(open().findText(query, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
  });

  it('is read as UTF-8 again once a program has converted it', async () => {
    await writeFile(path, encode('Größe\n', { encoding: 'windows1252' }));
    await edit('Größe', 'größer');
    await writeFile(path, 'größer\n');
    expect((await files.readText(path)).format).toEqual({ encoding: 'utf8', bom: false });
  });
});

describe('a run without a window', () => {
  const world = eachTest(() => HeadlessWorld.make());

  it('reads, mentions and edits a file in GBK, as built', async () => {
    const path = join(world.workspace, 'a.txt');
    const text = '# 读取配置文件并返回结果\r\nx = 1\n';
    await writeFile(path, iconv.encode(text, 'gbk'));
    world.server.script(
      [call('read_file', { file_path: 'a.txt' })],
      [call('replace', { file_path: 'a.txt', instruction: 'i', old_string: 'x', new_string: '值' })],
      [call('replace', { file_path: 'a.txt', instruction: 'i', old_string: '值', new_string: '😀' })],
      [call('grep_search', { pattern: '值 = \\d|返回' })],
      [answer('Done.')],
    );
    const { code, error } = await world.run(['--prompt', 'See @a.txt', '--approval-mode', 'yolo']);
    expect(code, error).toBe(0);
    const [first, ...others] = world.server.requests;
    expect(JSON.stringify(first)).toContain('Content of a.txt (encoding: GBK, guessed)');
    const [read, edited, refused, found] = others.map(request => lastResults(request)[0]);
    expect(read?.output).toContain(
      '[Encoding: GBK, guessed. Edits keep it.]\n# 读取配置文件并返回结果\nx = 1',
    );
    expect(edited?.output).toContain('值 = 1');
    expect(refused?.error).toContain('encoded in GBK, which lacks 😀 (U+1F600, line 2)');
    expect(found?.output).toContain('a.txt\n1: # 读取配置文件并返回结果\n2: 值 = 1');
    expect(await readFile(path)).toEqual(iconv.encode(text.replace('x', '值'), 'gbk'));
  });
});

describe('an edit of a file in another encoding', () => {
  const repertoires = new Map<string, readonly string[]>();
  const repertoire = (encoding: string): readonly string[] => {
    const known = repertoires.get(encoding);
    if (known) return known;
    const codes = Array.from({ length: 0x10000 }, (_, code) =>
      code < 256 ? [code] : [code >> 8, code & 255],
    );
    const found = codes.flatMap(code => {
      const text = iconv.decode(Buffer.from(code), encoding);
      const isOne = [...text].length === 1 && !/[\p{Cc}\ufffd<>]/u.test(text);
      return isOne && iconv.encode(text, encoding).equals(Buffer.from(code)) ? [text] : [];
    });
    repertoires.set(encoding, found);
    return found;
  };
  const encodings = [
    'windows1252',
    'windows1251',
    'koi8r',
    'gbk',
    'gb18030',
    'cp950',
    'shiftjis',
    'eucjp',
    'euckr',
  ];
  const texts = fc.constantFrom(...encodings).chain(encoding => {
    const character = fc.nat().map(n => repertoire(encoding)[n % repertoire(encoding).length]!);
    const text = fc.array(fc.oneof(character, fc.constantFrom('\n', '\r\n', ' ', 'a')), { maxLength: 40 });
    return fc.record({
      encoding: fc.constant(encoding),
      before: text.map(each => each.join('')),
      after: text.map(each => each.join('')),
      chosen: fc.boolean(),
    });
  });

  it('leaves the bytes around it as they were, whether the encoding is known or guessed', async () => {
    const root = await mkdtemp(join(tmpdir(), 'folio-encodings-'));
    const path = join(root, 'a.txt');
    onTestFinished(() => rm(root, { recursive: true, force: true }));
    await fc.assert(
      fc.asyncProperty(texts, async ({ encoding, before, after, chosen }) => {
        const files = new NodeFileSystem(undefined, async () => ({
          findChosen: async () => (chosen ? encoding : undefined),
        }));
        const [head, tail] = [before, after].map(text => iconv.encode(text, encoding));
        const around = (middle: string) => Buffer.concat([head!, Buffer.from(middle), tail!]);
        await writeFile(path, around('<old>'));
        const file = await files.readText(path).catch(() => undefined);
        if (chosen) expect(file?.text).toBe(`${before}<old>${after}`);
        if (!file) return;
        await files.writeText(path, file.text.replace('<old>', '<new one>'), file.format, file.text);
        expect((await readFile(path)).equals(around('<new one>'))).toBe(true);
      }),
    );
  });
});

describe('a change of a file in another encoding', () => {
  const world = eachTest(() => makeDiskWorld());
  let path: string;
  const text = '# 读取配置文件并返回结果\nx = 1\n# 失败时抛出异常\n';
  const before = iconv.encode(text, 'gbk');
  beforeEach(async () => {
    path = join(world.workspace, 'a.txt');
    await writeFile(path, before);
  });

  const bytes = () => readFile(path);
  const reject = () => world.session.changes.ledger.reject({});
  const edit = [
    'replace',
    { file_path: 'a.txt', instruction: 'i', old_string: 'x = 1', new_string: '值 = 1' },
  ] as const;

  it.each([
    ['an edit', edit],
    ['a command that edits it', ['run_shell_command', { command: 'sed -i s/x/y/ a.txt' }]],
    ['a command that deletes it', ['run_shell_command', { command: 'rm a.txt' }]],
    ['a command that empties it', ['run_shell_command', { command: ': > a.txt' }]],
  ] as const)('by %s is rejected, and undone, to the very bytes', async (_name, call) => {
    await world.turn('go', call);
    expect(world.session.changes.ledger.paths).toEqual([path]);
    expect(await reject()).toEqual([]);
    expect(await bytes()).toEqual(before);
    await world.turn('again', call);
    await world.session.rewind({ kind: 'call', callId: 'call2' }, 'files');
    expect(await bytes()).toEqual(before);
  });

  it('is rejected to the very bytes after a restart, and keeps what the user wrote elsewhere', async () => {
    await world.turn('go', edit);
    expect(await bytes()).toEqual(iconv.encode(text.replace('x', '值'), 'gbk'));
    const typed = iconv.encode(`${text.replace('x', '值')}# 新的注释\n`, 'gbk');
    await writeFile(path, typed);
    await world.reopen();
    expect(await reject()).toEqual([]);
    expect(await bytes()).toEqual(iconv.encode(`${text}# 新的注释\n`, 'gbk'));
  });

  it('is undone around what the user wrote elsewhere', async () => {
    await world.turn('go', edit);
    await writeFile(path, iconv.encode(`${text.replace('x', '值')}# 新的注释\n`, 'gbk'));
    await world.session.rewind({ kind: 'call', callId: 'call1' }, 'files');
    expect(await bytes()).toEqual(iconv.encode(`${text}# 新的注释\n`, 'gbk'));
  });
});
