import { dirname } from 'node:path';
import * as z from 'zod';
import { plural, t } from '../../protocol/language.ts';
import { lazySchema } from '../../protocol/lazySchema.ts';
import { mediaLimitBytes, mediaLimitMb } from '../../protocol/mediaLimit.ts';
import { formatBytes, formatQuantity } from '../base/text.ts';
import { defineReadTool, shownResult, ToolFailure, type ToolResult } from '../core/tool.ts';
import { FileError, type FileStat } from '../platform/fileSystem.ts';
import type { ChangedLines } from './files/changedLines.ts';
import { convertFileErrors } from './files/convertFileErrors.ts';
import { describeMissingFile } from './files/describeMissingFile.ts';
import type { FilePorts } from './files/editableFile.ts';
import { encodingRemark } from './files/encodingRemark.ts';
import { type AgentIgnorePorts, findIgnoreFileHiding, ignoredFileFailure } from './files/ignoreFiles.ts';
import { type LineExcerpt, takeLines } from './files/lineExcerpt.ts';
import { findMediaType, mediaTypeByName, toBase64 } from './files/mediaType.ts';
import type { NotebookPresence } from './files/notebookPresence.ts';
import { readableText } from './files/readableText.ts';
import { shortPath } from './files/shortPath.ts';
import { parseReport, type ReportFormat, reportFormatOf } from './reports/readReport.ts';
import { ReportError } from './reports/report.ts';

const input = lazySchema(() =>
  z.object({
    file_path: z.string().describe('File to read'),
    start_line: z.int().min(1).optional().describe('First line, from 1'),
    end_line: z.int().min(1).optional().describe('Last line, inclusive'),
    window: z.int().min(1).optional().describe('Lines at once; the result says how to scroll'),
    line_numbers: z.boolean().optional().describe('Before each line; not part of the file'),
  }),
);

type Input = z.infer<ReturnType<typeof input>>;

const maxTextBytes = 20 * 1024 * 1024;

export interface ReadFilePorts extends FilePorts, AgentIgnorePorts {
  /** Notified of files that are read. */
  readonly notebooks?: Pick<NotebookPresence, 'saw'>;
  /** Lines that the session changed, to relate coverage to them. */
  readonly changed?: Pick<ChangedLines, 'read'>;
}

export function readFileTool(ports: ReadFilePorts) {
  return defineReadTool({
    name: 'read_file',
    description:
      'Reads a text file, or an image, PDF, audio or video file. Of a long text 2000 lines come, and how to read on.',
    input,
    title: readTitle,
    target: ({ file_path }) => ({ kind: 'paths', paths: [file_path], access: 'read' }),

    async run(asked, call) {
      const { file_path, start_line = 1, end_line } = asked;
      if (end_line !== undefined && start_line > end_line) {
        throw new ToolFailure(`start_line ${start_line} is after end_line ${end_line}.`, () =>
          t('Wrong range'),
        );
      }
      return convertFileErrors(file_path, readAny(ports, asked, call.signal));
    },
  });
}

function readTitle(asked: Input): string {
  const { file_path, start_line } = asked;
  const path = shortPath(file_path);
  const last = lastWanted(asked);
  if (start_line === undefined && last === undefined) return t('Read {0}', path);
  if (last === undefined) return t('Read {0} from line {1}', path, start_line!);
  return t('Read {0} lines {1}-{2}', path, start_line ?? 1, last);
}

/** Returns the end of the range or of the window, whichever is first; `undefined` if neither is given. */
function lastWanted({ start_line = 1, end_line, window }: Input): number | undefined {
  const endOfWindow = window && start_line + window - 1;
  return end_line && endOfWindow ? Math.min(end_line, endOfWindow) : (end_line ?? endOfWindow);
}

async function readAny(ports: ReadFilePorts, asked: Input, signal: AbortSignal): Promise<ToolResult> {
  const path = await ports.paths.resolve(asked.file_path, 'read');
  const [stat, rules] = await Promise.all([
    ports.files.stat(path),
    findIgnoreFileHiding(ports, path, 'file'),
  ]);
  if (!stat) throw await describeMissingFile(ports, path);
  const format = wantsText(asked) || stat.kind !== 'file' ? undefined : reportFormatOf(path);
  if (!format) checkReadable(asked.file_path, stat);
  if (rules !== undefined) throw await ignoredFileFailure(ports, path, rules);
  signal.throwIfAborted();
  const report = format && (await readReport(ports, path, format, signal));
  if (report) return { ...report, folders: [dirname(path)] };
  checkReadable(asked.file_path, stat);
  return { ...(await readContent(ports, asked, path, stat)), folders: [dirname(path)] };
}

/** Returns whether the request is for lines, so that a report is shown as text. */
function wantsText({ start_line, end_line, window }: Input): boolean {
  return (start_line ?? end_line ?? window) !== undefined;
}

/** Returns `undefined` if the file only has the name of a report. */
async function readReport(
  { files, paths, changed }: ReadFilePorts,
  path: string,
  format: ReportFormat,
  signal: AbortSignal,
): Promise<ToolResult | undefined> {
  try {
    const report = await parseReport(format, await files.readBytes(path), signal);
    if (!report) return undefined;
    const { formatReport } = await import('./reports/formatReport.ts');
    const text = await formatReport(report, { changed, paths });
    return shownResult(text, () => t('Summary of a report ({0})', format));
  } catch (error) {
    if (!(error instanceof ReportError)) throw error;
    throw new ToolFailure(`${await paths.show(path)} (${format}): ${error.message}`, () => t('Not readable'));
  }
}

async function readContent(
  ports: ReadFilePorts,
  asked: Input,
  path: string,
  stat: FileStat,
): Promise<ToolResult> {
  if (mediaTypeByName(path)) {
    const media = await readMedia(ports, path);
    if (media) return media;
  }
  try {
    const file = await ports.files.readText(path, { stat });
    const { text } = file;
    ports.notebooks?.saw(path);
    ports.seen?.note(path, text);
    const { shown, remark } = readableText(path, text);
    const range = takeLines(shown, { start: asked.start_line, end: lastWanted(asked) });
    return describeText(asked, range, [encodingRemark(file), remark]);
  } catch (error) {
    if (!(error instanceof FileError) || error.kind !== 'notText') throw error;
    const media = await readMedia(ports, path);
    if (media) return media;
    throw new ToolFailure(
      `${asked.file_path} is a binary file (${formatBytes(stat.size)}) and cannot be shown as text.`,
      () => t('Binary file'),
    );
  }
}

function checkReadable(path: string, stat: FileStat): void {
  if (stat.kind === 'directory') {
    throw new ToolFailure(`${path} is a folder. Use list_directory to see what is in it.`, () =>
      t('Is a folder'),
    );
  }
  if (stat.kind === 'other') throw new ToolFailure(`${path} is not a regular file.`, () => t('Not a file'));
  if (stat.size > maxTextBytes) {
    throw new ToolFailure(
      `${path} has ${formatBytes(stat.size)}; at most 20 MB can be read. Use grep_search, or a command that prints a part.`,
      () => t('Too large'),
    );
  }
}

/** Returns `undefined` if the file is no media that a model can see or hear. Throws a `ToolFailure` if it is too large. */
async function readMedia({ files, paths }: FilePorts, path: string): Promise<ToolResult | undefined> {
  const bytes = await files.readBytes(path);
  const mimeType = findMediaType(path, bytes);
  if (!mimeType) return undefined;
  const shown = await paths.show(path);
  const size = formatBytes(bytes.length);
  if (bytes.length > mediaLimitBytes) {
    throw new ToolFailure(`${shown} (${mimeType}) has ${size}; at most ${mediaLimitMb} MB can be sent.`, () =>
      t('Too large'),
    );
  }
  return {
    text: `${shown} (${mimeType}, ${size}) follows.`,
    blobs: [{ mimeType, data: toBase64(bytes) }],
    display: { summary: () => `${mimeType}, ${size}` },
  };
}

function describeText(
  asked: Input,
  range: LineExcerpt,
  remarks: readonly (string | undefined)[],
): ToolResult {
  const { first, last, total, cutLines } = range;
  if (total === 0) return { text: `${asked.file_path} is empty.`, display: { summary: () => t('Empty') } };
  if (first > total) {
    throw new ToolFailure(
      `${asked.file_path} has only ${formatQuantity(total, 'line')}; start_line is ${first}.`,
      () => t('Past the end'),
    );
  }
  const whole = first === 1 && last === total;
  const notes = remarks.filter(remark => remark !== undefined);
  if (!whole) notes.push(`[${describePlace(asked, range)}]`);
  if (cutLines > 0) notes.push(`[${formatQuantity(cutLines, 'line')} longer than 2000 characters cut.]`);
  const text = asked.line_numbers ? numberLines(range) : range.text;
  return {
    text: [...notes, text].join('\n'),
    display: {
      summary: () =>
        whole
          ? plural(total, 'one: {0} line | other: {0} lines')
          : t('Lines {0}-{1} of {2}', first, last, total),
    },
    bounded: true,
  };
}

/** Describes the position of the lines in the file, and how to continue if there is more or a window moves. */
function describePlace({ end_line, window }: Input, { first, last, total }: LineExcerpt): string {
  const place = `Lines ${first}-${last} of ${total}: ${first - 1} above, ${total - last} below.`;
  const isShort = last < Math.min(total, end_line ?? total);
  const on = isShort ? ` To read on, set start_line to ${last + 1}.` : '';
  const back = window && first > 1 ? ` To go back, set it to ${Math.max(1, first - window)}.` : '';
  return place + (on === '' ? back.replace('set it', 'set start_line') : on + back);
}

/** Formats lines like search results: number, colon, text. */
function numberLines({ text, first }: LineExcerpt): string {
  return text
    .split('\n')
    .map((line, index) => `${first + index}: ${line}`)
    .join('\n');
}
