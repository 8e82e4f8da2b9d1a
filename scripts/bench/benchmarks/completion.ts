import { makeFileList } from '../../../src/extension/core/mentions/fileIndex.ts';
import type { Benchmark } from '../bench.ts';
import { type Measurement, median } from '../statistics.ts';

const fileCount = 100_000;
/** Twelve letters each: a name, beginnings of words, a path, letters of nearly every path. */
const queries = ['invoiceStore', 'cusordreposp', 'src/serv/inv', 'aeiostrenels'] as const;

/** Measures each letter after an `@`, compared with a plain substring search. */
export const completion: Benchmark = {
  name: 'complete',
  about:
    'a mention of 12 letters typed in a workspace of 100,000 files, beside a plain search for the letters',
  run: async ({ runs, say }) => {
    const started = performance.now();
    const list = makeFileList(makePaths());
    say(`${list.entries.length} entries listed in ${Math.round(performance.now() - started)} ms`);
    const lower = list.entries.map(entry => entry.lower);
    const folio = queries.map((): number[][] => []);
    const plain: number[] = [];
    for (let run = 0; run <= Math.max(runs, 5); run++) {
      for (const [index, query] of queries.entries()) {
        const ranked = type(query, typed => list.ranking.rank(typed, { limit: 50 }).best.length);
        const scanned = type(query, typed => plainScan(lower, typed.toLowerCase()));
        // The first run warms up.
        if (run === 0) continue;
        folio[index]!.push(ranked);
        plain.push(...scanned);
      }
    }
    return [
      row('one letter of 12', 'plain search', plain),
      { ...row('one letter of 12', 'Folio', folio.flat(2)), against: 'plain search' },
      {
        ...row('the slowest letter of each mention', 'Folio', folio.map(slowestLetter)),
        limit: { kind: 'median', atMost: 50 },
      },
    ];
  },
};

/** Returns the slowest median of the letters, to ignore interruptions by other work. */
function slowestLetter(runs: readonly (readonly number[])[]): number {
  const letters = runs[0]!.map((_, letter) => median(runs.map(times => times[letter]!)));
  return Math.max(...letters);
}

/** Returns the milliseconds for each letter. */
function type(query: string, find: (typed: string) => number): number[] {
  return Array.from(query, (_, index) => {
    const started = performance.now();
    if (find(query.slice(0, index + 1)) < 0) throw new Error('Nothing was found out.');
    return performance.now() - started;
  });
}

function plainScan(paths: readonly string[], letters: string): number {
  let found = 0;
  for (const path of paths) if (path.includes(letters)) found++;
  return found;
}

const folders = ['src', 'packages', 'services', 'test', 'lib', 'apps', 'tools', 'docs'];
const words = [
  'invoice',
  'customer',
  'order',
  'payment',
  'session',
  'store',
  'report',
  'search',
  'index',
  'user',
  'account',
  'ledger',
  'service',
  'handler',
  'queue',
  'message',
  'event',
  'render',
  'parse',
  'format',
  'client',
  'server',
  'model',
  'view',
  'router',
  'config',
  'setting',
  'cache',
  'repository',
  'response',
];
const endings = ['.ts', '.tsx', '.test.ts', '.json', '.md', '.css', '.py', '.go'];

/** Returns paths of a realistic tree: several levels, names of two or three recurring words. */
function makePaths(): readonly string[] {
  let seed = 20_261_121;
  const pick = <T>(from: readonly T[]): T => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return from[Math.floor((seed / 2 ** 32) * from.length)]!;
  };
  const upper = (word: string) => word[0]!.toUpperCase() + word.slice(1);
  let below: readonly string[] = [];
  return Array.from({ length: fileCount }, (_, index) => {
    // A dozen files a folder.
    if (index % 12 === 0) {
      const levels = Array.from({ length: 1 + (index % 5) }, () => pick(words));
      below = [pick(folders), ...levels, `${pick(words)}-${pick(words)}`];
    }
    const third = index % 5 === 0 ? upper(pick(words)) : '';
    const name = `${pick(words)}${upper(pick(words))}${third}${index % 97}`;
    return [...below, name + pick(endings)].join('/');
  });
}

function row(what: string, who: string, samples: readonly number[]): Measurement {
  return { benchmark: 'complete', what, who, unit: 'ms', samples };
}
