/* Reads mentions other than files and folders. */

import { inEnglish, type LocalizedMessage, plural, t } from '../../../protocol/language.ts';
import { oneLine } from '../../base/text.ts';
import type { FileProblem, SymbolLocation } from '../../platform/workbench.ts';
import { quoteUnusualName } from './readPlaces.ts';
import type { ContentPiece, MentionContent, MentionSources } from './sources.ts';

/** Maximum number of definitions read for one name. */
const maxDefinitions = 3;
const maxProblems = 200;
/** Lines around a definition, for comments and decorators. */
const linesAround = 3;

export async function readSymbol(
  sources: MentionSources,
  name: string,
  signal: AbortSignal,
): Promise<MentionContent> {
  const places = await sources.workbench.findDefinitions(name, signal);
  if (places === undefined) {
    return {
      outcome: 'failed',
      kind: 'symbol',
      detail: t('Only the editor knows symbols, and there is none here'),
    };
  }
  const found: { readonly shown: string; readonly piece: ContentPiece }[] = [];
  for (const place of places) {
    if (found.length === maxDefinitions) break;
    const read = await readDefinition(sources, place);
    if (read) found.push(read);
  }
  const [first] = found;
  if (first === undefined) {
    return {
      outcome: 'missing',
      kind: 'symbol',
      detail: t('No symbol with this name found in the workspace'),
    };
  }
  const where =
    found.length === 1
      ? t('In {0}', first.shown)
      : plural(found.length, 'one: {0} definition | other: {0} definitions');
  const more = places.length - found.length;
  const detail =
    more > 0 ? plural(more, 'one: {1}, {0} other not read | other: {1}, {0} others not read', where) : where;
  const pieces = found.map(({ piece }) => piece);
  return { outcome: 'read', kind: 'symbol', detail, path: first.shown, pieces };
}

/** Returns `undefined` for definitions in libraries, ignored files and deleted files. */
async function readDefinition({ files }: MentionSources, { name, kind, path, first, last }: SymbolLocation) {
  const found = await files.find(path);
  if (found.kind !== 'file' || found.leftOutBy !== undefined) return undefined;
  const lines = { first: Math.max(1, first - linesAround), last: last + linesAround };
  const content = await files.read(found.path, lines);
  if (content.kind !== 'text') return undefined;
  const shown = quoteUnusualName(found.shown);
  const range = `lines ${content.first}-${content.last} of ${content.total}`;
  const heading = `${oneLine(kind)} ${oneLine(name)} in ${shown} (${range})`;
  const piece: ContentPiece = { kind: 'text', heading, text: content.text, wrap: 'ticks' };
  return { shown, piece };
}

export async function readProblems({ workbench, files }: MentionSources): Promise<MentionContent> {
  const problems = workbench.listProblems();
  if (problems === undefined) {
    return {
      outcome: 'failed',
      kind: 'problems',
      detail: t('Only the editor knows problems, and there is none here'),
    };
  }
  const reported = problems.slice(0, maxProblems);
  const lines = await Promise.all(
    reported.map(async problem => describe(problem, await files.show(problem.path))),
  );
  const cut = problems.length > reported.length;
  if (cut) lines.push(`(${problems.length - reported.length} more)`);
  const text = lines.length === 0 ? 'None.' : lines.join('\n');
  return {
    outcome: cut ? 'cut' : 'read',
    kind: 'problems',
    detail: cut
      ? t('{0} of {1} problems', reported.length, problems.length)
      : plural(problems.length, 'one: {0} problem | other: {0} problems'),
    pieces: [{ kind: 'text', heading: 'Problems that the editor shows', text, wrap: 'ticks' }],
  };
}

function describe({ severity, line, message, source }: FileProblem, shown: string): string {
  const from = source === undefined ? '' : ` (${oneLine(source)})`;
  return `${quoteUnusualName(shown)}:${line}: ${severity}: ${oneLine(message, 500)}${from}`;
}

/** VS Code may lose a command's first output. */
const unseen = '(No output was seen. VS Code does not always tell what a quick command writes.)';

export async function readTerminal({ workbench }: MentionSources): Promise<MentionContent> {
  const last = workbench.lastCommand();
  if (last === undefined) {
    const detail = t('No terminal command found. Turn on shell integration, then run the command again');
    return { outcome: 'missing', kind: 'terminal', detail };
  }
  const { terminal, command, output, exitCode, running } = last;
  const end: LocalizedMessage = () =>
    running ? t('still running') : exitCode === undefined ? t('ended') : t('exit code {0}', exitCode);
  const heading = `The newest command in the user's terminal ${JSON.stringify(oneLine(terminal))} (${inEnglish(end)})`;
  const isSeen = output.trim() !== '';
  const text = `$ ${command}\n${isSeen || running ? output : unseen}`;
  return {
    outcome: 'read',
    kind: 'terminal',
    detail: isSeen
      ? `${oneLine(command, 60)}, ${end()}`
      : t('{0}, {1}, no output seen', oneLine(command, 60), end()),
    pieces: [{ kind: 'text', heading, text, wrap: 'untrusted_output' }],
  };
}

export async function readDiff(sources: MentionSources, signal: AbortSignal): Promise<MentionContent> {
  const { diff, folders, trusted, files } = sources;
  // Git would run filters configured in the repository.
  if (!trusted()) {
    return {
      outcome: 'failed',
      kind: 'diff',
      detail: t('Git is not run in a workspace that is not trusted'),
    };
  }
  if (folders.length === 0) return { outcome: 'failed', kind: 'diff', detail: t('No folder is open') };
  const pieces: ContentPiece[] = [];
  let count = 0;
  for (const folder of folders) {
    const found = await diff.readDiff(folder, signal);
    // Some workspace folders may not be repositories.
    if (found === undefined) continue;
    const changed = found.diff.match(/^diff --git /gm)?.length ?? 0;
    count += changed + found.untracked.length;
    const untracked = found.untracked.map(path => `${quoteUnusualName(path)}\n`).join('');
    const text = [found.diff, untracked && `Untracked files:\n${untracked}`].filter(Boolean).join('\n');
    const where = folders.length > 1 ? ` below ${quoteUnusualName(await files.show(folder))}` : '';
    const heading = `Changes of the working tree since the last commit${where}`;
    pieces.push({ kind: 'text', heading, text: text || 'None.', wrap: 'ticks' });
  }
  if (pieces.length === 0)
    return {
      outcome: 'failed',
      kind: 'diff',
      detail: t('The folder is not in a Git repository, or Git does not trust its owner'),
    };
  return {
    outcome: 'read',
    kind: 'diff',
    detail: plural(count, 'one: {0} changed file | other: {0} changed files'),
    pieces,
  };
}

/** The text goes into the prompt, so the page is read here, not by the provider. */
export async function readPage(
  { readPage }: MentionSources,
  url: string,
  signal: AbortSignal,
): Promise<MentionContent> {
  const text = await readPage(url, signal);
  const heading = `Content of ${url}`;
  return {
    outcome: 'read',
    kind: 'url',
    detail: plural(text.length, 'one: {0} character | other: {0} characters'),
    pieces: [{ kind: 'text', heading, text, wrap: 'untrusted_content' }],
  };
}
