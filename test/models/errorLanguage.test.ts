import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pseudo } from '../../scripts/l10n/pseudo.ts';
import { readCatalog } from '../../scripts/l10n/readCatalog.ts';
import { type ModelError, noBuiltInToolsError } from '../../src/extension/core/model.ts';
import { geminiService } from '../../src/extension/models/gemini/geminiProvider.ts';
import { geminiOnVertex } from '../../src/extension/models/vertex/vertexProvider.ts';
import { findAnswerFailure } from '../../src/extension/models/wire/answerCheck.ts';
import { toModelError } from '../../src/extension/models/wire/serverErrors.ts';
import { askModel } from '../../src/extension/tools/web/askModel.ts';
import { setLanguage } from '../../src/protocol/language.ts';

/** A user reads the language that is set, a model and the log English, whatever a service answered. */
describe('errors of models', () => {
  let catalog: Readonly<Record<string, string>>;

  beforeAll(async () => {
    const messages = Object.values(await readCatalog('l10n/bundle.l10n.json'));
    catalog = Object.fromEntries(messages.map(message => [message, pseudo(message)]));
  });

  beforeEach(() => setLanguage({ tag: 'en', catalog }));

  afterEach(() => setLanguage({ tag: 'en', catalog: {} }));

  const statuses = [400, 401, 403, 404, 408, 413, 418, 429, 503];

  const context = { host: '', address: '', aborted: false };

  for (const service of [geminiService, geminiOnVertex])
    test.for(statuses)(`of ${service.nameOf('')} with status %s`, status => {
      const refusal = { status, body: '{"error": {"message": "It said so"}}' };
      expectBoth(toModelError(new Error('no'), { ...context, service, refusal, model: 'm' }));
    });

  test('of the network', () => {
    const refused = Object.assign(new Error('no'), { code: 'ECONNRESET' });
    expectBoth(toModelError(refused, { ...context, service: geminiService }));
  });

  test('of an answer that cannot be used', () => {
    const empty = { hasCalls: false, text: '', hasThought: false, refusal: '' };
    expectBoth(findAnswerFailure({ ...empty, isOver: true, ended: 'normally' })!);
  });

  test('that a tool tells to a model are English', async () => {
    const error = noBuiltInToolsError('webSearch');
    const provider = {
      async *stream() {
        yield { type: 'end' as const, end: { ok: false as const, error } };
      },
    };
    const { signal } = new AbortController();
    const answer = await askModel({ provider, model: 'm' }, 'webSearch', 'Why?', signal);
    expect(answer).toEqual({ ok: false, reason: error.english });
    expectBoth(error);
  });
});

function expectBoth({ message, english }: ModelError): void {
  expect(message).toMatch(/^\[.*lorem/);
  expect(english).not.toMatch(/lorem|[åéïöü]/);
  expect(english).toMatch(/^[A-Z][^[\]]*\.$/);
}
