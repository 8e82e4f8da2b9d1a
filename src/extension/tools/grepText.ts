import { plural } from '../base/text.ts';
import type { WorkspacePaths } from '../core/paths.ts';
import type { ToolResult } from '../core/tool.ts';
import type { FileTextMatches, MatchLine, TextMatches } from '../platform/search.ts';

/** Characters: a line of minified code must not drown the rest. */
const lineLimit = 2_000;
/** Characters of all lines together. */
const textLimit = 30_000;

interface Shown {
  readonly pattern: string;
  readonly names_only?: boolean;
}

interface Where {
  readonly name: string;
  /** Folders below it that were not searched, as a phrase; empty: none. */
  readonly leftOut: string;
}

/** How matches read for the model: a sentence first, then file by file. */
export async function formatMatches(
  paths: WorkspacePaths,
  query: Shown,
  where: Where,
  matches: TextMatches,
): Promise<ToolResult> {
  if (matches.total === 0) return nothing(query.pattern, where);
  const files = await Promise.all(
    matches.files.map(async file => ({ ...file, path: await paths.show(file.path) })),
  );
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  const summary = query.names_only
    ? plural(files.length, 'file')
    : `${plural(matches.total, 'match', 'matches')} in ${plural(files.length, 'file')}`;
  const { text, left } = query.names_only
    ? { text: files.map(file => file.path).join('\n'), left: 0 }
    : writeFiles(files);
  const head = `${summary} for ${query.pattern} in ${where.name}${notSearched(where)}${matches.limited ? ', and there are more' : ''}:`;
  const tail = advice(matches.limited, left);
  return {
    text: `${head}\n${text}${tail}`,
    display: {
      summary: matches.limited ? `${summary}, limited` : summary,
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
    display: { summary: 'No matches' },
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
    else if (blocks.length === 0) blocks.push(`${block.slice(0, textLimit)}…`);
    else left++;
  }
  return { text: blocks.join('\n\n'), left };
}

/** `12:` marks a match, `13-` a line of context; `--` stands where lines are left out. */
function writeLines(lines: readonly MatchLine[]): string {
  const written: string[] = [];
  let previous: number | undefined;
  const hasContext = lines.some(line => !line.isMatch);
  for (const { number, text, isMatch } of lines) {
    if (hasContext && previous !== undefined && number > previous + 1) written.push('--');
    const cut = text.length > lineLimit ? `${text.slice(0, lineLimit)}… (line cut)` : text;
    written.push(`${number}${isMatch ? ':' : '-'} ${cut.replace(/\r?\n?$/, '')}`);
    previous = number;
  }
  return written.join('\n');
}

function advice(limited: boolean, left: number): string {
  const files = left > 0 ? `\n\n… ${plural(left, 'more file')} left out because the result is long.` : '';
  if (!limited && left === 0) return '';
  const start = files || '\n\nThe search ended at its limit.';
  return `${start} Narrow it with dir_path or include_pattern or a more exact pattern, or list only paths with names_only.`;
}
