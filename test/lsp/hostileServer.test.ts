import { resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { LanguageError } from '../../src/extension/platform/languages.ts';
import { LspWorld } from './support/lspWorld.ts';

const script = resolve(import.meta.dirname, '../support/hostileLanguageServer.ts');

let world: LspWorld | undefined;

afterEach(async () => {
  await world?.dispose();
  world = undefined;
});

/** @param behaviour and, for some, the method or path that it is about */
async function open(...behaviour: readonly string[]): Promise<LspWorld> {
  const program = { command: process.execPath, args: [script, ...behaviour] };
  world = await LspWorld.make(program, { 'a.ts': 'one two\n' });
  await world.languages.settle();
  return world;
}

async function names(made: LspWorld): Promise<readonly string[]> {
  return (await made.languages.outline(made.path('a.ts'), made.signal)).map(({ name }) => name);
}

const rename = (made: LspWorld) =>
  made.languages.rename({ path: made.path('a.ts'), line: 1, column: 1 }, 'uno', made.signal);

describe('a language server that misbehaves', () => {
  it.each(['torn', 'wrong lengths', 'noise'])('is understood all the same: %s', async behaviour => {
    expect(await names(await open(behaviour))).toEqual(['one', 'two']);
  });

  it('ends when it prints what is no message', async () => {
    const made = await open('babble');
    expect(made.languages.isAvailable).toBe(false);
    expect(made.reported.join()).toContain('It prints what is no message.');
  });

  it('is not used when it counts columns in its own way, or does not begin at all', async () => {
    expect((await open('other columns')).languages.isAvailable).toBe(false);
    await world?.dispose();
    const made = await open('crash', 'initialize');
    expect(made.languages.isAvailable).toBe(false);
    expect(made.reported.join()).toContain('Its process ended with code 3: I cannot continue.');
  });

  it('holds nobody who stops, and its late answer belongs to nobody', async () => {
    const made = await open('late', 'textDocument/rename');
    const stop = new AbortController();
    const renaming = made.languages.rename({ path: made.path('a.ts'), line: 1, column: 1 }, 'x', stop.signal);
    setTimeout(() => stop.abort(new Error('Stopped.')), 50);
    await expect(renaming).rejects.toThrow('Stopped.');
    expect(await names(made)).toEqual(['one', 'two']);
  });

  it('that never answers is given up after a while, with a sentence', async () => {
    const made = await open('silent', 'textDocument/rename');
    made.clock.hurry = true;
    const renaming = rename(made);
    await expect(renaming).rejects.toThrow(LanguageError);
    await expect(renaming).rejects.toThrow('did not answer textDocument/rename within 20 s.');
  });

  it('that dies over a question is a sentence, starts again, and not for ever', async () => {
    const made = await open('crash', 'textDocument/rename');
    for (let times = 0; times < 4; times++) {
      await expect(rename(made)).rejects.toThrow(
        'has ended. Its process ended with code 3: I cannot continue.',
      );
    }
    await expect(rename(made)).rejects.toThrow('has ended 4 times and is not started again.');
    await made.languages.settle();
    expect(made.languages.isAvailable).toBe(false);
  });

  it('that refuses is quoted where that helps, and has no answer elsewhere', async () => {
    expect(await rename(await open('refuse', 'textDocument/rename'))).toEqual({
      kind: 'refused',
      reason: 'I will not.',
    });
    await world?.dispose();
    const made = await open('refuse', 'textDocument/references');
    const at = { path: made.path('a.ts'), line: 1, column: 1 };
    expect(await made.languages.follow(at, 'references', made.signal)).toEqual([]);
  });

  it.each(['textDocument/rename', 'textDocument/references', 'textDocument/codeAction'])(
    'that answers %s with nonsense has not answered',
    async method => {
      const made = await open('nonsense', method);
      const at = { path: made.path('a.ts'), line: 1, column: 1 };
      const asking =
        method === 'textDocument/rename'
          ? rename(made)
          : method === 'textDocument/references'
            ? made.languages.follow(at, 'references', made.signal)
            : made.languages.offer(at, made.signal);
      await expect(asking).rejects.toThrow(`answered ${method} with something that nobody understands`);
    },
  );

  it('fills no memory with one answer, nor with many entries, nor with deep ones', async () => {
    const made = await open('huge');
    expect(made.reported.join()).toContain('at most 32.0 MB are taken');
    await world?.dispose();
    const many = await open('many');
    const at = { path: many.path('a.ts'), line: 1, column: 1 };
    expect(await many.languages.follow(at, 'references', many.signal)).toHaveLength(20_000);
    await world?.dispose();
    const deep = await open('deep');
    expect(deep.reported.join()).toMatch(/nobody understands|^$/);
  });

  it('whose edit fits no text, no file or no version changes nothing', async () => {
    const reasons: Record<string, string> = {
      'older version': 'It was made for an older text',
      'makes a file': 'Files themselves would have to be moved, made or deleted',
      'behind the end': 'Its changes do not fit',
      overlapping: 'Its changes do not fit',
      'no file': 'which is no file',
    };
    for (const [behaviour, reason] of Object.entries(reasons)) {
      const renaming = await rename(await open(behaviour));
      expect(renaming, behaviour).toEqual({ kind: 'refused', reason: expect.stringContaining(reason) });
      await world?.dispose();
    }
    expect(await rename(await open('whole file'))).toMatchObject({
      files: [{ edits: [{ from: { line: 1, column: 1 }, to: { line: 2, column: 1 }, text: 'uno' }] }],
    });
  });

  it('offers what can be applied, and says of the rest why it cannot', async () => {
    const made = await open('');
    const at = { path: made.path('a.ts'), first: 1, last: 1 };
    const offered = await made.languages.offer(at, made.signal);
    expect(
      offered.map(({ title, change }) => `${title}: ${change.kind === 'refused' ? change.reason : 'edits'}`),
    ).toEqual([
      'Works: edits',
      'Is worked out: edits',
      'Runs something: it runs a command of the language server.',
      'Is a command: it runs a command of the language server.',
      'Is disabled: not today.',
    ]);
  });

  it('that asks gets an answer, and none that changes anything', async () => {
    const made = await open('asks');
    await names(made);
    const answers = () => made.logged.filter(line => line.includes('answered ')).join('\n');
    await expect.poll(answers).toContain('"id":3');
    expect(answers()).toContain('{"jsonrpc":"2.0","id":1,"result":[null,null]}');
    expect(answers()).toContain('"applied":false');
    expect(answers()).toContain('"code":-32601');
  });
});

describe('problems that a server reports automatically', () => {
  it('are about the text that stands there, whatever comes late', async () => {
    const made = await open('publishes stale');
    expect(await made.problems('a.ts')).toEqual([]);
    for (let round = 0; round < 5; round++) {
      await made.write('a.ts', `bad ${round}\n`);
      expect(await made.problems('a.ts')).toEqual(['a.ts:1 error: This is bad.']);
      await made.write('a.ts', `good ${round}\n`);
      expect(await made.problems('a.ts')).toEqual([]);
    }
  });

  it('are not known as long as it says nothing', async () => {
    const made = await open('publishes never');
    made.clock.hurry = true;
    expect(await made.problems('a.ts')).toBeUndefined();
    expect(await made.diagnostics.before(made.path('a.ts'), made.signal)).toBeUndefined();
  });
});
