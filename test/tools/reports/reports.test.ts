import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { WorkspacePaths } from '../../../src/extension/core/paths.ts';
import { ChangedLines } from '../../../src/extension/tools/files/changedLines.ts';
import { readFileTool } from '../../../src/extension/tools/readFile.ts';
import { MemoryBlobStore } from '../../support/memoryBlobStore.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';
import { useTool } from '../../support/useTool.ts';

/** Line 2 ran, 3 to 4 and 7 did not, whatever the format. */
const source = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
const lcov = 'TN:\nSF:src/a.js\nDA:2,5\nDA:3,0\nDA:4,0\nDA:7,0\nLF:4\nLH:1\nend_of_record\n';
const go =
  'mode: set\nexample.com/shop/src/a.js:2.1,2.9 1 5\nexample.com/shop/src/a.js:3.1,4.9 2 0\nexample.com/shop/src/a.js:7.1,7.2 1 0\n';
const statement = (line: number) => ({ start: { line, column: 0 }, end: { line, column: 5 } });
const istanbul = JSON.stringify({
  '/w/src/a.js': {
    path: '/w/src/a.js',
    statementMap: { 0: statement(2), 1: statement(3), 2: statement(4), 3: statement(7), 4: statement(7) },
    s: { 0: 5, 1: 0, 2: 0, 3: 2, 4: 0 },
  },
});
const line = (number: number, hits: number) => `<line hits="${hits}" number="${number}" branch="false"/>`;
const lines = `${line(2, 5)}${line(3, 0)}\n${line(4, 0)}${line(7, 0)}`;
const cobertura = `<?xml version="1.0"?><coverage line-rate="0.25"><packages><package><classes>
<class name="a" filename="src/a.js"><methods><method name="f"><lines>${line(3, 0)}</lines></method></methods>
<lines>${lines}</lines></class></classes></package></packages></coverage>`;

const formats: readonly (readonly [name: string, format: string, text: string])[] = [
  ['coverage/lcov.info', 'lcov', lcov],
  ['cover.out', 'Go cover', go],
  ['coverage/coverage-final.json', 'Istanbul', istanbul],
  ['coverage.xml', 'Cobertura', cobertura],
];

const node = (id: number, functionName: string, url: string, children: readonly number[] = []) => ({
  id,
  callFrame: { functionName, url, lineNumber: 9, columnNumber: 0, scriptId: '1' },
  children,
});

/** `walk` calls itself and `parse`; each sample takes a millisecond. */
const profile = JSON.stringify({
  nodes: [
    node(1, '(root)', '', [2, 5]),
    node(2, 'walk', 'file:///w/src/a.js', [3]),
    node(3, 'walk', 'file:///w/src/a.js', [4]),
    node(4, 'parse', 'file:///w/src/b.js'),
    node(5, '(idle)', ''),
  ],
  startTime: 0,
  endTime: 10_000,
  samples: [2, 3, 4, 4, 4, 4, 4, 4, 4, 5, 5],
  timeDeltas: [0, ...Array.from({ length: 10 }, () => 1_000)],
});

function make(contents: Record<string, string | Uint8Array>) {
  const files = new MemoryFileSystem({ '/w/src/a.js': source, ...contents });
  const blobs = new MemoryBlobStore();
  const changed = new ChangedLines(blobs, files);
  const read = async (file_path: string, more: object = {}) =>
    (
      await useTool(readFileTool({ files, paths: new WorkspacePaths(files, ['/w']), changed }), {
        file_path,
        ...more,
      })
    ).text;
  const wasBefore = async (path: string, text: string | undefined) => {
    const before = text === undefined ? null : await blobs.put(new TextEncoder().encode(text));
    changed.onEvent({ seq: 1, at: 0, type: 'checkpoint.taken', path, before });
  };
  return { read, wasBefore };
}

describe('read_file summarises', () => {
  it.each(formats)('coverage in %s: what nothing covers', async (name, format, text) => {
    const { read } = make({ [`/w/${name}`]: text });
    const result = await read(name);
    expect(result).toContain(`${format}: 25 % of 4 lines in 1 file are covered.`);
    expect(result).toMatch(/src\/a\.js: 3-4, 7\n/);
  });

  it.each(formats)(
    'coverage in %s: of what the session changed, the lines that nothing covers',
    async (name, _format, text) => {
      const { read, wasBefore } = make({ [`/w/${name}`]: text, '/w/src/new.js': 'x\n' });
      await wasBefore('/w/src/a.js', source.replace('two\nthree\n', 'old\n'));
      await wasBefore('/w/src/new.js', undefined);
      await wasBefore('/w/src/gone.js', 'gone');
      const result = await read(name);
      expect(result).toContain('nothing covers (1 others are covered):\nsrc/a.js: 3\n');
      expect(result).toContain('Changed, and not in the report: src/new.js');
    },
  );

  it('the hottest functions of a profile, recursion counted once', async () => {
    const { read } = make({ '/w/run.cpuprofile': profile });
    expect(await read('run.cpuprofile')).toBe(
      [
        'CPU profile: 10 ms in 2 functions.',
        '(idle) 10 %',
        'Hottest functions, by time of their own:',
        '70 % self, 70 % total: parse src/b.js:10',
        '20 % self, 90 % total: walk src/a.js:10',
        'To read the file itself, give start_line.',
      ].join('\n'),
    );
  });

  it('nothing where a part of the file is asked for, or the file only has such a name', async () => {
    const { read } = make({ '/w/lcov.info': lcov, '/w/coverage.xml': '<settings/>', '/w/c.out': 'hello' });
    expect(await read('lcov.info', { start_line: 2, end_line: 2 })).toContain('SF:src/a.js');
    expect(await read('c.out')).toContain('hello');
    expect(await read('coverage.xml')).toContain('<settings/>');
  });

  it('what a report has that ends in the middle, and says so', async () => {
    const half = (text: string) => text.slice(0, Math.floor(text.length * 0.75));
    const { read } = make({
      '/w/lcov.info': half(lcov),
      '/w/cover.out': `${go}example.com/shop/src/b`,
      '/w/coverage.xml': half(cobertura),
      '/w/coverage-final.json': half(istanbul),
      '/w/run.cpuprofile': half(profile),
      '/w/empty.cpuprofile': '',
      '/w/odd.cpuprofile': '{"nodes":{}}',
    });
    for (const name of ['lcov.info', 'cover.out', 'coverage.xml'])
      expect(await read(name)).toContain('ends in the middle');
    for (const name of ['coverage-final.json', 'run.cpuprofile', 'empty.cpuprofile'])
      await expect(read(name)).rejects.toThrow('no complete JSON');
    await expect(read('odd.cpuprofile')).rejects.toThrow('no nodes and samples');
  });

  it('100 MB that are read by line, and refuses to parse as much as a whole', async () => {
    const large = 100 * 1024 * 1024;
    const record = (at: number) => `SF:src/f${at}.js\n${'DA:1,1\nDA:2,0\n'.repeat(20_000)}end_of_record\n`;
    const files = Math.ceil(large / record(0).length);
    const text = new TextEncoder().encode(Array.from({ length: files }, (_each, at) => record(at)).join(''));
    const { read } = make({ '/w/lcov.info': text, '/w/a.cpuprofile': new Uint8Array(large) });
    const result = await read('lcov.info');
    expect(result).toContain(`50 % of ${2 * files} lines in ${files} files`);
    expect(result.length).toBeLessThan(2_000);
    await expect(read('a.cpuprofile')).rejects.toThrow('Profile a shorter time.');
  });

  it('a profile with a name that no address can have, and one with a node that calls very many', async () => {
    const leaves = Array.from({ length: 200_000 }, (_each, at) => at + 2);
    const wide = [node(1, '(root)', '', leaves), ...leaves.map(id => node(id, 'leaf', 'file:///w/a%zz.js'))];
    const text = JSON.stringify({ nodes: wide, samples: [2, 2], timeDeltas: [0, 1_000] });
    const { read } = make({ '/w/run.cpuprofile': text });
    expect(await read('run.cpuprofile')).toContain('100 % self, 100 % total: leaf a%zz.js:10');
  });

  it('no coverage that names more lines than the memory holds', async () => {
    const blocks = Array.from({ length: 500 }, (_each, at) => `a${at}.go:1.1,10000.1 1 0\n`);
    const { read } = make({ '/w/cover.out': blocks.join('') });
    await expect(read('cover.out')).rejects.toThrow('It names too many lines.');
  });

  it('profiles of pprof, packed or not, by the type that counts', async () => {
    const strings = [
      '',
      'cpu',
      'nanoseconds',
      'walk',
      '/w/src/a.go',
      'parse',
      '/w/src/b.go',
      'inuse',
      'bytes',
    ];
    const made = (type: number, unit: number) =>
      message([
        [
          1,
          message([
            [1, 1],
            [2, 2],
          ]),
        ],
        [
          1,
          message([
            [1, type],
            [2, unit],
          ]),
        ],
        // The innermost call first: parse in walk, walk in itself, and walk alone.
        [
          2,
          message([
            [1, Uint8Array.of(2, 1)],
            [2, Uint8Array.from([...varint(1), ...varint(7_000_000)])],
          ]),
        ],
        [
          2,
          message([
            [1, 1],
            [1, 1],
            [2, 1],
            [2, 3_000_000],
          ]),
        ],
        [
          4,
          message([
            [1, 1],
            [
              4,
              message([
                [1, 1],
                [2, 12],
              ]),
            ],
          ]),
        ],
        [
          4,
          message([
            [1, 2],
            [
              4,
              message([
                [1, 2],
                [2, 20],
              ]),
            ],
          ]),
        ],
        [
          5,
          message([
            [1, 1],
            [2, 3],
            [4, 4],
            [5, 10],
          ]),
        ],
        [
          5,
          message([
            [1, 2],
            [2, 5],
            [4, 6],
          ]),
        ],
        ...strings.map(text => [6, new TextEncoder().encode(text)] as const),
      ]);
    const { read } = make({
      '/w/cpu.pb.gz': gzipSync(made(1, 2)),
      '/w/heap.pprof': made(7, 8),
      '/w/half.pb.gz': gzipSync(made(1, 2)).subarray(0, 60),
      '/w/cut.pprof': made(7, 8).subarray(0, 90),
      '/w/bomb.pb.gz': gzipSync(new Uint8Array(80 * 1024 * 1024)),
      '/w/python.prof': 'only text',
    });
    expect((await read('cpu.pb.gz')).split('\n').slice(0, 4)).toEqual([
      'pprof (cpu): 10 ms in 2 functions.',
      'Hottest functions, by time of their own:',
      '70 % self, 70 % total: parse src/b.go:20',
      '30 % self, 100 % total: walk src/a.go:10',
    ]);
    expect(await read('heap.pprof')).toMatch(
      /^pprof \(inuse\): .* MB in 2 functions\.\nHottest functions, by memory/,
    );
    for (const name of ['half.pb.gz', 'cut.pprof'])
      await expect(read(name)).rejects.toThrow('no complete profile');
    await expect(read('bomb.pb.gz')).rejects.toThrow('Unpacked it is too large');
    expect(await read('python.prof')).toContain('only text');
  });

  it('what V8 writes of memory: where it was allocated, and what it held', async () => {
    const frame = (functionName: string, url: string) => ({ functionName, url, lineNumber: 4 });
    const leaf = { callFrame: frame('load', 'file:///w/src/a.js'), selfSize: 900, id: 2, children: [] };
    const head = { callFrame: frame('(root)', ''), selfSize: 100, id: 1, children: [leaf] };
    const fields = ['type', 'name', 'id', 'self_size', 'edge_count', 'detachedness'];
    const meta = { node_fields: fields, node_types: [['object', 'string', 'native'], 'string', 'number'] };
    const objects = [
      [0, 0, 1, 3_000, 0, 0],
      [0, 0, 2, 1_000, 0, 0],
      [1, 1, 3, 500, 0, 0],
      [2, 2, 4, 40, 0, 2],
    ];
    const snapshot = {
      snapshot: { meta },
      nodes: objects.flat(),
      strings: ['Cart', 'secret text', 'HTMLDivElement'],
    };
    const { read } = make({
      '/w/run.heapprofile': JSON.stringify({ head }),
      '/w/a.heapsnapshot': JSON.stringify(snapshot),
      '/w/odd.heapsnapshot': '{"nodes":[1]}',
      '/w/odd.heapprofile': '{}',
    });
    expect(await read('run.heapprofile')).toContain('90 % self, 90 % total: load src/a.js:5');
    const summary = await read('a.heapsnapshot');
    expect(summary).toContain('in 4 objects.');
    expect(summary).toMatch(
      /\(88\.1 %\) in 2: Cart\n.*\(11 %\) in 1: \(string\)\n.* in 1: Detached HTMLDivElement/,
    );
    expect(summary).not.toContain('secret');
    await expect(read('odd.heapsnapshot')).rejects.toThrow('no objects');
    await expect(read('odd.heapprofile')).rejects.toThrow('no functions');
  });
});

/** A protocol buffer. */
function message(fields: readonly (readonly [id: number, value: number | Uint8Array])[]): Uint8Array {
  const bytes = fields.flatMap(([id, value]) =>
    typeof value === 'number'
      ? [...varint(id * 8), ...varint(value)]
      : [...varint(id * 8 + 2), ...varint(value.length), ...value],
  );
  return Uint8Array.from(bytes);
}

function varint(value: number): readonly number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}
