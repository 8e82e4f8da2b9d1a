import { afterEach, describe, expect, it } from 'vitest';
import { englishMessageOf, LocalizedError, messageOf } from '../../src/extension/base/errors.ts';
import { ToolFailure } from '../../src/extension/core/tool.ts';
import { inEnglish, setLanguage, t } from '../../src/protocol/language.ts';

describe('an error that people and models read', () => {
  afterEach(() => setLanguage({ tag: 'en', catalog: {} }));

  it('speaks the language of the user, English to a model, and English in its stack', () => {
    setLanguage({ tag: 'de', catalog: { Moved: 'Verschoben' } });
    const error = new LocalizedError(() => t('Moved'));
    expect([error.message, messageOf(error), error.english, englishMessageOf(error)]).toEqual([
      'Verschoben',
      'Verschoben',
      'Moved',
      'Moved',
    ]);
    expect(error.stack).toMatch(/^Error: Moved\n/);
  });

  it('is quoted in the language of the sentence around it', () => {
    setLanguage({ tag: 'de', catalog: { Moved: 'Verschoben', 'Lost: {0}': 'Weg: {0}' } });
    const inner = new LocalizedError(() => t('Moved'));
    const describe = () => t('Lost: {0}', messageOf(inner));
    expect([describe(), inEnglish(describe)]).toEqual(['Weg: Verschoben', 'Lost: Moved']);
  });

  it('of a tool shows its card the language of the user', () => {
    setLanguage({ tag: 'de', catalog: { Moved: 'Verschoben' } });
    const { message, summary } = new ToolFailure(() => t('Moved'));
    expect([message, summary()]).toEqual(['Moved', 'Verschoben']);
  });
});
