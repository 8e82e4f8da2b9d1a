import { describe, expect, test } from 'vitest';
import { findPlaceholder } from '../../../src/extension/tools/edit/placeholders.ts';

describe('omission placeholders', () => {
  test.each([
    '// ... rest of the code ...',
    '  # ... existing code ...',
    '/* ... unchanged methods ... */',
    '{/* ... existing code ... */}',
    '<!-- ... rest of file ... -->',
    '... (rest of the methods remain unchanged) ...',
    '(rest of methods ...)',
    '-- … remaining lines …',
    '// ... unchanged ...',
    '// rest of code...',
  ])('%s is recognised', line => {
    expect(findPlaceholder(`a\n${line}\nb`, '')).toBe(line.trim());
  });

  test.each([
    'const rest = [...existing, code];',
    '...',
    'fn(...args)',
    "console.log('Loading the rest of the file...')",
    '// Reads the rest of the file before it parses it.',
    '// The rest of the code is in invoice.ts...',
    "  'More...',",
    '# ...',
  ])('%s is code', line => {
    expect(findPlaceholder(line, '')).toBeUndefined();
  });

  test('a line that the old text has as well is no placeholder', () => {
    expect(findPlaceholder('// ... rest of code ...', 'a\n  // ... rest of code ...\n')).toBeUndefined();
  });
});
