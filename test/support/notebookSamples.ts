/* Notebooks as programs write them, each in a manner of its own. */

import type { TextFormat } from '../../src/extension/platform/fileSystem.ts';

export interface NotebookSample {
  readonly name: string;
  readonly text: string;
  readonly format: TextFormat;
}

const utf8: TextFormat = { encoding: 'utf8', bom: false };

const kernel = {
  kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' },
  language_info: { name: 'python', version: '3.12.1' },
};

const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const stream = { name: 'stdout', output_type: 'stream', text: ['low 0.4\n', 'high 3.1\n'] };
const figure = {
  data: { 'image/png': picture, 'text/plain': ['<Figure size 640x480>'] },
  metadata: { needs_background: 'light' },
  output_type: 'display_data',
};
const result = {
  data: { 'text/html': ['<table>\n', '<tr/></table>'], 'text/plain': ['   tide\n', '0   0.4'] },
  execution_count: 3,
  metadata: {},
  output_type: 'execute_result',
};
const failure = {
  ename: 'ZeroDivisionError',
  evalue: 'division by zero',
  output_type: 'error',
  traceback: ['\u001b[0;31mTraceback\u001b[0m', '\u001b[0;31mZeroDivisionError\u001b[0m: division by zero'],
};

const words = { cell_type: 'markdown', metadata: {}, source: ['# Tides\n', '\n', 'Of the *harbour*.'] };
const code = {
  cell_type: 'code',
  execution_count: 2,
  metadata: { tags: ['load'] },
  outputs: [stream, figure],
  source: ['import tides\n', 'sea = tides.read()\n', 'sea.plot()'],
};
const broken = { cell_type: 'code', execution_count: 3, metadata: {}, outputs: [failure], source: ['1 / 0'] };
const raw = { cell_type: 'raw', metadata: { format: 'text/restructuredtext' }, source: '.. note:: as it is' };
const table = {
  cell_type: 'code',
  execution_count: 3,
  metadata: {},
  outputs: [result],
  source: 'sea.head()',
};
const pictured = {
  attachments: { 'harbour.png': { 'image/png': picture } },
  cell_type: 'markdown',
  metadata: {},
  source: ['![harbour](attachment:harbour.png)'],
};

function of(minor: number, cells: readonly object[], metadata: object = kernel): object {
  const named = cells.map((cell, at) => (minor >= 5 ? withId(cell, `cell-${at + 1}`) : cell));
  return { cells: named, metadata, nbformat: 4, nbformat_minor: minor };
}

function withId(cell: object, id: string): object {
  return Object.fromEntries(Object.entries({ ...cell, id }).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const widgets = {
  ...kernel,
  widgets: {
    'application/vnd.jupyter.widget-state+json': {
      state: { a1: { model_module: '@jupyter-widgets/base', state: { value: 3 } } },
      version_major: 2,
      version_minor: 0,
    },
  },
};

const jupyter = (value: object) => `${JSON.stringify(value, null, 1)}\n`;
const sample = (name: string, text: string, format = utf8): NotebookSample => ({ name, text, format });

/** Letters and digits, the same each time. */
function base64(length: number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return Array.from({ length }, (_, at) => letters[(at * 7919 + (at >> 6) * 31) % 64]).join('');
}

const large = {
  ...code,
  outputs: [{ ...figure, data: { 'image/png': base64(5 * 1024 * 1024), 'text/plain': ['<Figure>'] } }],
};

export const notebookSamples: readonly NotebookSample[] = [
  sample('4.0, as Jupyter writes it', jupyter(of(0, [words, code, broken, raw]))),
  sample('4.1 with attachments', jupyter(of(1, [pictured, words, table]))),
  sample('4.2 with the state of widgets', jupyter(of(2, [words, code], widgets))),
  sample('4.3 in one line', JSON.stringify(of(3, [words, code, raw]))),
  sample('4.4 with four spaces', `${JSON.stringify(of(4, [raw, words, table, broken]), null, 4)}\n`),
  sample('4.5 with ids', jupyter(of(5, [words, code, broken, raw, pictured, table]))),
  sample('4.5 with tabs and no final break', JSON.stringify(of(5, [words, code, table]), null, '\t')),
  sample('4.5 with CRLF', jupyter(of(5, [code, words, raw])).replaceAll('\n', '\r\n')),
  sample('4.5 with a byte-order mark', jupyter(of(5, [words, table])), { encoding: 'utf8', bom: true }),
  sample('4.5 in UTF-16', jupyter(of(5, [words, broken])), { encoding: 'utf16le', bom: true }),
  sample(
    '4.5 with other languages and signs',
    jupyter(of(5, [{ ...words, source: ['# Ebbe und Flut – 潮汐 🌊\n', '"\\ \u2028'] }, code])),
  ),
  sample(
    '4.5 with signs escaped',
    jupyter(of(5, [{ ...words, source: ['# Gezeiten für alle\n', 'ü'] }, code])).replace(
      /[\u0080-\uffff]/g,
      character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  ),
  sample(
    '4.5 with keys in another order',
    jupyter({
      nbformat: 4,
      nbformat_minor: 5,
      metadata: kernel,
      cells: [
        { source: 'x', id: 'a', outputs: [], metadata: {}, execution_count: null, cell_type: 'code' },
        { source: [], id: 'b', metadata: {}, cell_type: 'raw' },
      ],
    }),
  ),
  sample(
    '4.5 with spaces where nobody writes them',
    '{ "nbformat" : 4 ,"nbformat_minor":5, "metadata":{ } ,\n"cells" : [ { "id":"a", "cell_type" : "markdown" , "metadata":{},"source": [ "a\\n" , "b" ] } ,\n\n{"id" :"b","cell_type":"code","metadata":{},"execution_count":null,"outputs":[ ],"source":"" } ] }\n\n',
  ),
  sample('4.5 without cells', jupyter(of(5, []))),
  sample('4.4 without cells in one line', JSON.stringify(of(4, []))),
  sample('4.5 with five megabytes of outputs', jupyter(of(5, [words, large, code]))),
];
