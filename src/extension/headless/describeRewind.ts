import { shortCounts } from '../../protocol/changes.ts';
import type { RestoredFile } from '../../protocol/values.ts';
import { formatQuantity, oneLine } from '../base/text.ts';
import type { RewindReport } from './earlierSession.ts';

const words: Readonly<Record<RestoredFile['result'], string>> = {
  restored: 'put back',
  created: 'made again',
  deleted: 'removed',
  merged: 'put back, later edits of others kept',
  conflict: 'not changed: others wrote into what would be put back',
  lost: 'not changed: what it held is no longer kept',
};

/** One line per file, then a summary. */
export function describeRewind(report: RewindReport): string {
  const { files } = report;
  const lines = files.map(({ path, result, ...counts }) => {
    return `${path}: ${words[result]}${isLeft(result) ? '' : ` (${shortCounts(counts).replace('−', '-')})`}`;
  });
  return `${[...lines, `${heading(report)} ${countFiles(files)}`].join('\n')}\n`;
}

function heading(report: RewindReport): string {
  if (report.kind === 'undone') return 'The rewind is undone.';
  const place = `before prompt ${report.prompt} (${oneLine(report.text, 60)})`;
  switch (report.scope) {
    case 'files':
      return `Files are back to ${place}; the conversation stays.`;
    case 'conversation':
      return `The conversation is back to ${place}; files stay.`;
    case 'both':
      return `Files and conversation are back to ${place}.`;
  }
}

function countFiles(files: readonly RestoredFile[]): string {
  const left = files.filter(file => isLeft(file.result)).length;
  const changed = `${formatQuantity(files.length - left, 'file')} changed`;
  return left === 0 ? `${changed}.` : `${changed}, ${left} not changed.`;
}

function isLeft(result: RestoredFile['result']): boolean {
  return result === 'conflict' || result === 'lost';
}
