import { formatBytes, formatQuantity, oneLine } from '../../base/text.ts';
import type { WorkspacePaths } from '../../core/paths.ts';
import type { ChangedLines } from '../files/changedLines.ts';
import type { CoveredFile, HeapRow, ProfiledFunction, Report } from './report.ts';

interface ReportPlace {
  readonly changed?: Pick<ChangedLines, 'read'> | undefined;
  readonly paths: Pick<WorkspacePaths, 'show'>;
}

const limits = { files: 15, ranges: 12, functions: 15 };
const readOn = 'To read the file itself, give start_line.';

export async function formatReport(report: Report, place: ReportPlace): Promise<string> {
  return [...(await linesOf(report, place)), readOn].join('\n');
}

async function linesOf(report: Report, place: ReportPlace): Promise<readonly string[]> {
  switch (report.kind) {
    case 'coverage':
      return describeCoverage(report, place);
    case 'profile':
      return describeProfile(report, place);
    case 'heap':
      return describeHeap(report);
  }
}

async function describeCoverage(
  { files, format, isCut }: Extract<Report, { kind: 'coverage' }>,
  { changed, paths }: ReportPlace,
): Promise<readonly string[]> {
  const all = files.reduce((sum, { lines }) => sum + lines.size, 0);
  const missed = files.reduce((sum, file) => sum + uncovered(file).length, 0);
  const share = all === 0 ? 0 : Math.floor((100 * (all - missed)) / all);
  const lead = [
    `${format}: ${share} % of ${formatQuantity(all, 'line')} in ${formatQuantity(files.length, 'file')} are covered.`,
    ...(isCut ? ['The file ends in the middle, so some is missing.'] : []),
  ];
  const edited = (await changed?.read()) ?? new Map<string, readonly number[]>();
  if (edited.size > 0) return [...lead, ...(await describeChange(files, edited, paths))];
  const worst = files
    .map(file => ({ path: file.path, lines: uncovered(file) }))
    .filter(({ lines }) => lines.length > 0)
    .toSorted((one, other) => other.lines.length - one.lines.length);
  if (worst.length === 0) return lead;
  const listed = worst
    .slice(0, limits.files)
    .map(async each => `${await shown(each.path, paths)}: ${rangesOf(each.lines)}`);
  const rest = worst.length > limits.files ? [`… ${worst.length - limits.files} more files`] : [];
  return [...lead, 'Uncovered lines, the most first:', ...(await Promise.all(listed)), ...rest];
}

async function describeChange(
  files: readonly CoveredFile[],
  edited: ReadonlyMap<string, readonly number[]>,
  paths: ReportPlace['paths'],
): Promise<readonly string[]> {
  const found: string[] = [];
  const absent: string[] = [];
  let covered = 0;
  for (const [path, lines] of edited) {
    const name = await paths.show(path);
    const file = files.find(each => isSame(each.path, path, name));
    if (!file) {
      absent.push(name);
      continue;
    }
    const open = lines.filter(line => file.lines.get(line) === 0);
    covered += lines.filter(line => (file.lines.get(line) ?? 0) > 0).length;
    if (open.length > 0) found.push(`${name}: ${rangesOf(open)}`);
  }
  return [
    ...(found.length === 0
      ? [`Of the lines that this session changed, ${covered} are covered and none is uncovered.`]
      : [`Lines that this session changed and nothing covers (${covered} others are covered):`, ...found]),
    ...(absent.length === 0
      ? []
      : [`Changed, and not in the report: ${absent.slice(0, limits.files).join(', ')}`]),
  ];
}

/** Reports name files by absolute path, relative to the folder of the run, or by module path. */
function isSame(reported: string, path: string, name: string): boolean {
  const given = reported.replaceAll('\\', '/').replace(/^\.\//, '');
  return given === path || given === name || path.endsWith(`/${given}`) || given.endsWith(`/${name}`);
}

function uncovered({ lines }: CoveredFile): readonly number[] {
  return [...lines].filter(([, hits]) => hits === 0).map(([line]) => line);
}

function rangesOf(lines: readonly number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const line of lines.toSorted((one, other) => one - other)) {
    const range = ranges.at(-1);
    if (range && line === range.last + 1) range.last = line;
    else ranges.push({ first: line, last: line });
  }
  const text = ranges
    .slice(0, limits.ranges)
    .map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`))
    .join(', ');
  return ranges.length > limits.ranges ? `${text} … (${formatQuantity(lines.length, 'line')} in all)` : text;
}

/** V8's entries for time in which no function ran. */
const isNone = ({ name, path }: ProfiledFunction) =>
  path === '' && /^\((?:root|program|idle|garbage collector)\)$/.test(name);

async function describeProfile(
  { functions, total, format, measure, of }: Extract<Report, { kind: 'profile' }>,
  { paths }: ReportPlace,
): Promise<readonly string[]> {
  const ran = functions.filter(each => !isNone(each) && each.total > 0);
  const bySelf = ran.toSorted((one, other) => other.self - one.self).slice(0, limits.functions);
  const byTotal = ran
    .filter(each => !bySelf.includes(each))
    .toSorted((one, other) => other.total - one.total)
    .slice(0, limits.functions);
  const row = async ({ name, path, line, self, total: whole }: ProfiledFunction) =>
    `${share(self, total)} self, ${share(whole, total)} total: ${oneLine(name, 100)} ${path === '' ? '(native)' : `${await shown(path, paths)}:${line}`}`;
  const idle = functions.filter(isNone).filter(({ self, name }) => self > 0 && name !== '(root)');
  return [
    `${format}${of === '' ? '' : ` (${oneLine(of, 50)})`}: ${amounts[measure](total)} in ${formatQuantity(ran.length, 'function')}.`,
    ...(idle.length === 0 ? [] : [idle.map(({ name, self }) => `${name} ${share(self, total)}`).join(', ')]),
    `Hottest functions, by ${words[measure]} of their own:`,
    ...(await Promise.all(bySelf.map(row))),
    ...(byTotal.length === 0 ? [] : [`Others, by the ${words[measure]} of all that they call:`]),
    ...(await Promise.all(byTotal.map(row))),
  ];
}

const amounts = {
  microseconds: (total: number) => `${Math.round(total / 1000)} ms`,
  bytes: formatBytes,
  count: (total: number) => `${total} samples`,
};
const words = { microseconds: 'time', bytes: 'memory', count: 'samples' };

/** Detached DOM nodes are the most frequent leaks. */
function describeHeap({ rows, total, format }: Extract<Report, { kind: 'heap' }>): readonly string[] {
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  const line = ({ name, count: number, bytes }: HeapRow) =>
    `${formatBytes(bytes)} (${share(bytes, total)}) in ${number}: ${oneLine(name, 100)}`;
  const largest = rows.toSorted((one, other) => other.bytes - one.bytes).slice(0, limits.functions);
  const detached = rows
    .filter(row => row.name.startsWith('Detached ') && !largest.includes(row))
    .toSorted((one, other) => other.count - one.count)
    .slice(0, limits.functions);
  return [
    `${format}: ${formatBytes(total)} in ${formatQuantity(count, 'object')}.`,
    'Constructors, by the size of their objects without what these hold:',
    ...largest.map(line),
    ...(detached.length === 0 ? [] : ['Detached from the page:', ...detached.map(line)]),
  ];
}

function share(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Math.round((1000 * part) / whole) / 10} %`;
}

async function shown(path: string, paths: ReportPlace['paths']): Promise<string> {
  const plain = path.startsWith('file://') && URL.canParse(path) ? decoded(new URL(path).pathname) : path;
  return oneLine(plain.startsWith('/') ? await paths.show(plain) : plain, 200);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A name with a percent sign that is not an encoding.
    return path;
  }
}
