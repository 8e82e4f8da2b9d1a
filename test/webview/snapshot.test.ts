import { expect, test } from 'vitest';
import { readSnapshotSections } from '../../src/webview/compression/readSnapshotSections.ts';
import { formatShare, formatTokens } from '../../src/webview/ui/tokens.ts';
import { fc } from '../support/properties.ts';

test('each section of a snapshot has a title in words and text without the indentation of the file', () => {
  const xml = `<state_snapshot>
    <overall_goal>
        Round once.
          - on the sum
    </overall_goal>
    <task_state>done &amp; tested, a &lt; b</task_state>
</state_snapshot>`;
  expect(readSnapshotSections(xml)).toEqual([
    { title: 'Overall goal', text: 'Round once.\n  - on the sum' },
    { title: 'Task state', text: 'done & tested, a < b' },
  ]);
});

test('what stands outside of the sections, or in one that is never closed, is shown too', () => {
  const xml = '<state_snapshot>Note <overall_goal>Goal</overall_goal><task_state>open';
  expect(readSnapshotSections(xml)).toEqual([
    { title: '', text: 'Note' },
    { title: 'Overall goal', text: 'Goal' },
    { title: '', text: '<task_state>open' },
  ]);
  expect(readSnapshotSections('just a sentence')).toEqual([{ title: '', text: 'just a sentence' }]);
});

test('an escaped entity is unescaped once', () => {
  expect(readSnapshotSections('<a>&amp;lt;</a>')[0]?.text).toBe('&lt;');
});

test('no word of a summary is lost, whatever a model writes', () => {
  const piece = fc.constantFrom('<goal>', '</goal>', '<x>', '</x>', 'word ', '\n', '  ', '<', '>');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), pieces => {
      const words = (text: string) => text.split('word').length;
      const shown = readSnapshotSections(pieces.join('')).map(({ text }) => text);
      expect(words(shown.join('\n'))).toBe(words(pieces.join('')));
    }),
  );
});

test('tokens keep three digits, and shares say what is too small to show', () => {
  expect([840, 8_437, 84_012, 1_048_576].map(formatTokens)).toEqual(['840', '8,440', '84,000', '1,050,000']);
  expect([0, 0.0004, 0.012, 0.06, 0.5, 0.996, 1].map(formatShare)).toEqual([
    '0%',
    '<0.1%',
    '1.2%',
    '6%',
    '50%',
    '>99%',
    '100%',
  ]);
});
