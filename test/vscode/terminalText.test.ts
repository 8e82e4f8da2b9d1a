import { expect, test } from 'vitest';
import { terminalTextConverter } from '../../src/extension/vscode/features/terminalText.ts';
import { fc } from '../support/properties.ts';

test('every line goes back to the left edge, wherever the output was torn', () => {
  const piece = fc
    .array(fc.constantFrom('a', '\n', '\r', '\r\n'), { maxLength: 5 })
    .map(parts => parts.join(''));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), pieces => {
      const lines = terminalTextConverter();
      const shown = pieces.map(lines).join('');
      expect(shown).toBe(pieces.join('').replace(/(?<!\r)\n/g, '\r\n'));
    }),
  );
});
