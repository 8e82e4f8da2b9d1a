import { describe, expect, it } from 'vitest';
import { applyHunks } from '../../../src/extension/core/changes/partialProposal.ts';
import { WorkspacePaths } from '../../../src/extension/core/paths.ts';
import { utf8Format } from '../../../src/extension/platform/fileSystem.ts';
import { fileDiff } from '../../../src/extension/review/fileDiff.ts';
import { lineEdits, splitLines } from '../../../src/extension/review/lineEdits.ts';
import { proposeEdit } from '../../../src/extension/tools/edit/proposedEdit.ts';
import type { FileDiff } from '../../../src/protocol/asks.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';
import { fc } from '../../support/properties.ts';

const before = Array.from({ length: 40 }, (_, i) => `line ${i}\n`).join('');

const texts = fc
  .array(fc.constantFrom('a', 'b', 'c', 'd\r', ''), { maxLength: 60 })
  .map(lines => lines.join('\n'));

/** What the card of an edit shows. */
async function askedDiff(from: string, to: string): Promise<FileDiff> {
  const files = new MemoryFileSystem({ '/w/a': from });
  const ports = { files, paths: new WorkspacePaths(files, ['/w']) };
  const { subject } = await proposeEdit(ports, { path: '/w/a', before: from, format: utf8Format }, to);
  if (subject?.kind !== 'edit') throw new Error('No edit is asked about.');
  return subject.diff;
}

describe('a proposal that is taken in part', () => {
  it('holds the hunks that were taken and the old lines elsewhere', () => {
    const after = before.replace('line 5\n', 'FIVE\n').replace('line 30\n', 'THIRTY\nmore\n');
    const diff = fileDiff('a', before, after);
    expect(diff.hunks).toHaveLength(2);
    expect(applyHunks(before, after, diff, [0])).toBe(before.replace('line 5\n', 'FIVE\n'));
    expect(applyHunks(before, after, diff, [1])).toBe(before.replace('line 30\n', 'THIRTY\nmore\n'));
  });

  it.each([
    ['two changed lines', 'a\nb\nc\n', 'A\nb\nC\n', ['A\nb\nc\n', 'a\nb\nC\n']],
    ['lines that only went', 'a\nb\nc\nd\n', 'b\nd\n', ['b\nc\nd\n', 'a\nb\nd\n']],
    ['lines that only came', 'a\nb\n', 'x\na\ny\nb\n', ['x\na\nb\n', 'a\ny\nb\n']],
    ['a change and a removal', 'a\nb\nc\n', 'A\nb\n', ['A\nb\nc\n', 'a\nb\n']],
    ['three lines between', '1\na\nb\nc\n2\n', 'I\na\nb\nc\n', ['I\na\nb\nc\n2\n', '1\na\nb\nc\n']],
  ])('decides alone on what one unchanged line separates: %s', async (_name, from, to, parts) => {
    const diff = await askedDiff(from, to);
    expect(diff.hunks).toHaveLength(parts.length);
    expect(parts.map((_, index) => applyHunks(from, to, diff, [index]))).toEqual(parts);
  });

  it('takes any choice of changes, and shows no line in two of them', async () => {
    const choices = fc.array(fc.boolean(), { minLength: 60, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(texts, texts, choices, async (from, to, isTaken) => {
        const diff = await askedDiff(from, to);
        const old = diff.hunks.flatMap(({ oldStart, lines }) =>
          lines.filter(({ kind }) => kind !== 'added').map((_, index) => oldStart + index),
        );
        expect(old).toEqual([...new Set(old)]);
        const accepted = [...diff.hunks.keys()].filter(index => isTaken[index]);
        const expected = lineEdits(splitLines(from), splitLines(to))
          .filter((_, index) => isTaken[index])
          .reduceRight((lines, { oldStart, oldCount, newStart, newCount }) => {
            const come = splitLines(to).slice(newStart, newStart + newCount);
            return lines.toSpliced(oldStart, oldCount, ...come);
          }, splitLines(from));
        expect(applyHunks(from, to, diff, accepted)).toBe(expected.join(''));
      }),
    );
  });

  it('is whole when all are taken and nothing when none is', () => {
    fc.assert(
      fc.property(texts, texts, (from, to) => {
        const diff = fileDiff('a', from, to);
        const all = diff.hunks.map((_, index) => index);
        expect(applyHunks(from, to, diff, all)).toBe(to);
        expect(applyHunks(from, to, diff, [])).toBe(from);
      }),
    );
  });
});
