/* Players at the evals about edits, searches and mistakes. */

import { call } from '../../support/geminiAnswers.ts';
import { findsCause, mendsFailingTest } from '../debugging.ts';
import { editsLongFile, makesOneEdit, renamesEverywhere } from '../edits.ts';
import { admitsNothing, namesThePlace, narrowsSearch } from '../searching.ts';
import { shop } from '../shop.ts';
import { type Players, read, replace, run, says, write } from './player.ts';

const renamed = (path: string, text: string) => write(path, text.replaceAll('total', 'sum'));
const grep = call('grep_search', { pattern: 'webhook' });
const scan = call('glob', { pattern: '**/*' });
const mendPages = (from: string) => replace('src/pages.mjs', 'number * size', from);
const commaInPrice = write(
  'src/price.mjs',
  "export function parsePrice(text) {\n  return Number(text.replace(',', '.'));\n}\n",
);

export const workPlayers: readonly Players[] = [
  {
    eval: makesOneEdit,
    good: [
      [replace('src/clients.mjs', 'payment = { timeoutSeconds: 30', 'payment = { timeoutSeconds: 45')],
      says('Done.'),
    ],
    bad: [
      {
        does: 'changes all that is alike',
        play: [
          [replace('src/clients.mjs', 'timeoutSeconds: 30', 'timeoutSeconds: 45', { allow_multiple: true })],
          says('Done.'),
        ],
        why: 'src/clients.mjs differs from line 1 on',
      },
      { does: 'only says that it did', play: [says('Done.')], why: 'src/clients.mjs was not changed' },
    ],
  },
  {
    eval: renamesEverywhere,
    good: [
      [
        renamed('src/cart.mjs', shop['src/cart.mjs']!),
        renamed('src/report.mjs', shop['src/report.mjs']!),
        renamed('README.md', renamesEverywhere.files['README.md']!),
      ],
      says('Renamed.'),
    ],
    bad: [
      {
        does: 'forgets who uses it',
        play: [[renamed('src/cart.mjs', shop['src/cart.mjs']!)], says('Renamed.')],
        why: 'total is left in README.md, src/report.mjs',
      },
      {
        does: 'breaks what it renames',
        play: [
          ['README.md', 'src/cart.mjs', 'src/report.mjs'].map(path =>
            write(path, '// sum() once stood here\n'),
          ),
          says('Renamed.'),
        ],
        why: /does not provide an export named/,
      },
    ],
  },
  {
    eval: editsLongFile,
    good: [[replace('src/rates.mjs', 'rate2718 = 19;', 'rate2718 = 99;')], says('Done.')],
    bad: [
      {
        does: 'misses the line',
        play: [[replace('src/rates.mjs', 'rate2717 = 12;', 'rate2717 = 99;')], says('Done.')],
        why: 'src/rates.mjs differs from line 2717 on',
      },
    ],
  },
  {
    eval: namesThePlace,
    good: [[grep], says('7 times, in src/modules/m37/handler.mjs:12.')],
    bad: [
      { does: 'guesses', play: [says('5 times, in src/webhooks.mjs.')], why: /^the file is not named/ },
      {
        does: 'does not say the line',
        play: [[grep], says('7 times, in src/modules/m37/handler.mjs.')],
        why: /^line 12 and the value 7/,
      },
    ],
  },
  {
    eval: narrowsSearch,
    good: [[read('src/report/exporter.mjs')], says('4321')],
    bad: [
      {
        does: 'reads file by file',
        play: [[1, 2, 3, 4, 5, 6, 7, 8, 9].map(number => read(`src/job${number}.mjs`)), says('4321')],
        why: 'it took 9 calls',
      },
      { does: 'takes the first hit', play: [says('10')], why: 'the answer was: 10' },
    ],
  },
  {
    eval: admitsNothing,
    good: [[scan], says('NONE')],
    bad: [
      { does: 'makes a file up', play: [[scan], says('config/queue.yaml')], why: /config\/queue\.yaml/ },
      { does: 'does not look', play: [says('NONE')], why: 'it did not look' },
    ],
  },
  {
    eval: mendsFailingTest,
    good: [[run('npm test')], [mendPages('(number - 1) * size')], [run('npm test')], says('Mended.')],
    bad: [
      {
        does: 'changes the test',
        play: [[write('test/pages.test.mjs', '// no test\n')], [run('true')], says('Mended.')],
        why: 'the test was changed',
      },
      {
        does: 'mends what the test shows alone',
        play: [[mendPages('number === 1 ? 0 : number * size')], [run('true')], says('Mended.')],
        why: /pages are 12 5/,
      },
      {
        does: 'does not look whether it works',
        play: [[mendPages('(number - 1) * size')], says('Mended.')],
        why: 'nothing was run after the last edit',
      },
    ],
  },
  {
    eval: findsCause,
    good: [[commaInPrice], says('Mended.')],
    bad: [
      {
        does: 'mends where it shows',
        play: [
          [replace('src/order.mjs', 'parsePrice(order.price)', "parsePrice(order.price.replace(',', '.'))")],
          says('Mended.'),
        ],
        why: /the invoice is NaN/,
      },
    ],
  },
];
