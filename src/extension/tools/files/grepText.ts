import { inEnglish, plural, t } from '../../../protocol/language.ts';
import { formatQuantity, headOf } from '../../base/text.ts';
import type { WorkspacePaths } from '../../core/paths.ts';
import type { ToolResult } from '../../core/tool.ts';
import type { FileTextMatches, MatchLine, TextMatches } from '../../platform/search.ts';
import { formatListedName } from './formatListedName.ts';

/** Characters. A line of minified code must not crowd out the rest. */
const lineLimit = 2_000;
/** Characters of all lines together. */
const textLimit = 30_000;

interface Shown {
  readonly pattern: string;
  readonly include_pattern?: string | undefined;
  readonly names_only?: boolean | undefined;
}

interface Where {
  readonly name: string;
  /** Subfolders that were not searched, as a phrase; may be empty. */
  readonly leftOut: string;
}

/** Formats matches for the model: a sentence first, then file by file. */
export async function formatMatches(
  paths: WorkspacePaths,
  query: Shown,
  where: Where,
  matches: TextMatches,
): Promise<ToolResult> {
  if (matches.total === 0) return nothing(query.pattern, where);
  const files = await Promise.all(
    matches.files.map(async file => ({ ...file, path: formatListedName(await paths.show(file.path)) })),
  );
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  const summary = () => {
    const inFiles = plural(files.length, 'one: {0} file | other: {0} files');
    if (query.names_only) return inFiles;
    return t('{0} in {1}', plural(matches.total, 'one: {0} match | other: {0} matches'), inFiles);
  };
  const { text, left } = query.names_only
    ? { text: files.map(file => file.path).join('\n'), left: 0 }
    : writeFiles(files);
  const head = `${inEnglish(summary)} for ${query.pattern} in ${where.name}${notSearched(where)}${matches.limited ? ', and there are more' : ''}:`;
  const tail = advice(query, files, { limited: matches.limited, left });
  return {
    text: `${head}\n${text}${tail}`,
    display: {
      summary: () => (matches.limited ? t('{0}, limited', summary()) : summary()),
      detail: { kind: 'text', text: text + tail },
    },
    bounded: true,
  };
}

function notSearched({ leftOut }: Where): string {
  return leftOut === '' ? '' : ` (${leftOut} not searched)`;
}

function nothing(pattern: string, where: Where): ToolResult {
  return {
    text: `No match for ${pattern} in ${where.name}${notSearched(where)}. Ignored files are searched only with no_ignore, protected ones (keys, .env) not at all.`,
    display: { summary: () => t('No matches') },
    bounded: true,
  };
}

function writeFiles(files: readonly FileTextMatches[]): { text: string; left: number } {
  const blocks: string[] = [];
  let length = 0;
  let left = 0;
  for (const file of files) {
    const block = `${file.path}\n${writeLines(file.lines)}`;
    length += block.length;
    if (length <= textLimit) blocks.push(block);
    else if (blocks.length === 0) blocks.push(`${headOf(block, textLimit)}…`);
    else left++;
  }
  return { text: blocks.join('\n\n'), left };
}

/** `12:` marks a match, `13-` a line of context, `--` omitted lines. */
function writeLines(lines: readonly MatchLine[]): string {
  const written: string[] = [];
  let previous: number | undefined;
  const hasContext = lines.some(line => !line.isMatch);
  for (const { number, text, isMatch } of lines) {
    if (hasContext && previous !== undefined && number > previous + 1) written.push('--');
    const cut = text.length > lineLimit ? `${headOf(text, lineLimit)}… (line cut)` : text;
    written.push(`${number}${isMatch ? ':' : '-'} ${cut.replace(/\r?\n?$/, '')}`);
    previous = number;
  }
  return written.join('\n');
}

interface Missing {
  /** True if the search stopped at its limit. */
  readonly limited: boolean;
  /** Number of matching files that are not shown. */
  readonly left: number;
}

/** Tells what is missing, and suggests unused options to narrow the query. */
function advice(
  { include_pattern, names_only }: Shown,
  files: readonly FileTextMatches[],
  { limited, left }: Missing,
): string {
  if (!limited && left === 0) return '';
  const start =
    left > 0
      ? `… ${formatQuantity(left, 'more file')} left out because the result is long.`
      : 'The search ended at its limit.';
  const folders = fullestFolders(files);
  const ways = [
    `dir_path${folders === '' ? '' : ` (most of these are in ${folders})`}`,
    ...(include_pattern === undefined ? ['include_pattern'] : []),
    'exclude_pattern',
    'a more exact pattern',
  ];
  const names = names_only ? '' : ' names_only lists the files alone.';
  return `\n\n${start} Narrow it with ${ways.slice(0, -1).join(', ')} or ${ways.at(-1)}.${names}`;
}

/** Lists the top folders with the most matches, as in `src (60), test (12)`; empty if there is only one. */
function fullestFolders(files: readonly FileTextMatches[]): string {
  const counts = new Map<string, number>();
  for (const { path, lines } of files) {
    const [folder] = path.includes('/') ? path.split('/', 1) : ['.'];
    const found = lines.filter(({ isMatch }) => isMatch).length;
    counts.set(folder!, (counts.get(folder!) ?? 0) + found);
  }
  if (counts.size < 2) return '';
  const fullest = [...counts].sort(([, one], [, other]) => other - one).slice(0, 3);
  return fullest.map(([folder, count]) => `${folder} (${count})`).join(', ');
}
