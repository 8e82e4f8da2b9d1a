/*
 * Fixed tasks, each solved in two ways: by meaning, with language tools, and by spelling, with grep and read. Both
 * scripts play a model that wastes nothing: it makes parallel calls, reads only lines around a place, and edits only
 * what it has read.
 */

import { type Files, filesOf, invoiceOf, type Job, jobsOf } from './shop.ts';

export interface Call {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Calls of each answer. The final answer has none. */
export type TaskScript = readonly (readonly Call[])[];

export interface Task {
  readonly name: string;
  readonly prompt: string;
  readonly files: Files;
  readonly byMeaning: TaskScript;
  readonly bySpelling: TaskScript;
  /** Final answer of both ways. */
  readonly answer: string;
  /** Texts that the results must contain for that answer. */
  readonly evidence: readonly string[];
  /** Expected files at the end. */
  readonly after: Files;
}

/** @param count number of work files */
export function makeTasks(count: number): readonly Task[] {
  const jobs = jobsOf(count);
  const files = filesOf(jobs);
  return [rename(jobs, files), findCallers(jobs, files), mendTypes(jobs, files)];
}

function rename(jobs: readonly Job[], files: Files): Task {
  const users = jobs.filter(({ usesInvoice }) => usesInvoice);
  const declaration = 'src/billing/invoice.ts';
  const places = [
    { path: declaration, line: '  total(): number {' },
    ...users.map(job => ({ path: job.path, line: `    due += ${invoiceOf(job)}.total() * known;` })),
  ];
  const edits = places.map(({ path, line }) => ({ path, line, to: line.replace('total', 'amountDue') }));
  const unclear = jobs.filter(({ isNotifying }) => !isNotifying);
  return {
    name: 'rename a method',
    prompt: 'Rename the method total of Invoice to amountDue, wherever it is used.',
    files,
    byMeaning: [[call('rename_symbol', { name: 'Invoice.total', new_name: 'amountDue' })]],
    bySpelling: [
      [grep('\\btotal\\b')],
      // If the line does not show the class, the beginning of its function does.
      unclear.map(({ path }) => around(files, path, '.total()', 8, 1)),
      edits.map(edit => replace(edit, 'Rename total of Invoice to amountDue')),
      [typeCheck],
    ],
    answer: `total of Invoice is amountDue now, in ${edits.length} places.`,
    evidence: [],
    after: applied(files, edits),
  };
}

function findCallers(jobs: readonly Job[], files: Files): Task {
  const callers = jobs.filter(({ channel }) => channel === 'Mailer');
  return {
    name: 'find all callers',
    prompt: 'Which methods call send of Mailer? Name each with its file.',
    files,
    byMeaning: [[call('find_symbol', { name: 'Mailer.send', find: 'callers' })]],
    bySpelling: [
      [grep('\\.send\\('), grep('\\bMailer\\b')],
      callers.map(({ path }) => around(files, path, '.send(', 8, 1)),
    ],
    answer: callers.map(({ number, path }) => `announceStep${number} in ${path}`).join('\n'),
    evidence: callers.map(({ number }) => `announceStep${number}`),
    after: files,
  };
}

function mendTypes(jobs: readonly Job[], files: Files): Task {
  const declaration = 'src/customers/customer.ts';
  const optional = {
    path: declaration,
    line: '  readonly email: string;',
    to: '  readonly email?: string;',
  };
  const edits = jobs
    .filter(({ address }) => address === 'needed')
    .map(({ path }) => ({
      path,
      line: '  const address = customer.email.toLowerCase();',
      to: "  const address = customer.email?.toLowerCase() ?? '';",
    }));
  const mend = edits.map(edit => replace(edit, 'A customer may have no address'));
  const loosen = replace(optional, 'Make email optional');
  const uses = call('find_symbol', { name: 'Customer.email', find: 'references' });
  return {
    name: 'mend types over files',
    prompt: 'Make email of Customer optional, and mend what no longer type-checks by an empty text.',
    files,
    // The result reports what the edit broke, for which the other way runs the compiler.
    byMeaning: [[uses], [loosen], mend],
    bySpelling: [[grep('\\bemail\\b')], [loosen], [typeCheck], mend, [typeCheck]],
    answer: `email is optional, and ${edits.length} files are mended.`,
    evidence: edits.map(({ path }) => path),
    after: applied(files, [optional, ...edits]),
  };
}

interface Edit {
  readonly path: string;
  /** Must be unique in the file. */
  readonly line: string;
  readonly to: string;
}

function applied(files: Files, edits: readonly Edit[]): Files {
  const after = edits.map(({ path, line, to }) => {
    const parts = files[path]!.split(line);
    if (parts.length !== 2) throw new Error(`${path} does not have the line once: ${line}`);
    return [path, parts.join(to)];
  });
  return { ...files, ...Object.fromEntries(after) };
}

function call(name: string, args: Call['args']): Call {
  return { name, args };
}

function grep(pattern: string): Call {
  return call('grep_search', { pattern, case_sensitive: true, total_max_matches: 300 });
}

/** Reads lines around the first occurrence of a text. */
function around(files: Files, path: string, text: string, before: number, after: number): Call {
  const at = files[path]!.split('\n').findIndex(line => line.includes(text)) + 1;
  return call('read_file', { file_path: path, start_line: at - before, end_line: at + after });
}

function replace({ path, line, to }: Edit, instruction: string): Call {
  const [old_string, new_string] = [line.trim(), to.trim()];
  return call('replace', { file_path: path, instruction, old_string, new_string });
}

const typeCheck = call('run_shell_command', { command: 'node node_modules/typescript/bin/tsc --noEmit' });
