import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { isMaskedResult, maskedResultText } from '../../../src/extension/core/context/maskedResultText.ts';
import {
  emptyWindow,
  ResultMasking,
  type SeenResult,
  slideWindow,
} from '../../../src/extension/core/context/resultMasking.ts';
import { estimatePart } from '../../../src/extension/core/context/tokens.ts';
import { History } from '../../../src/extension/core/history/history.ts';
import { NodeSessionStore } from '../../../src/extension/node/sessions/nodeSessionStore.ts';
import type { Message, Part } from '../../../src/protocol/events.ts';
import { historyFaults } from '../../support/checkHistory.ts';
import { fc } from '../../support/properties.ts';
import { runSize } from '../../support/runSize.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

type ResultPart = Extract<Part, { kind: 'result' }>;

let folder: string;
let store: NodeSessionStore;
let warnings: string[];

beforeEach(async () => {
  folder = await temporaryFolder('folio-masking-');
  store = new NodeSessionStore(folder);
  warnings = [];
});

function masking(
  saveOutput = (name: string, text: string) => store.saveOutput('s', name, text),
): ResultMasking {
  return new ResultMasking({ saveOutput, log: { warn: text => warnings.push(text) } });
}

/** A text whose result is worth so many tokens. */
function sized(tokens: number): string {
  return 'x'.repeat(tokens * 4 - 2);
}

interface Answered {
  readonly name?: string;
  readonly text: string;
  readonly blobs?: ResultPart['blobs'];
}

/** A prompt, then a step for each group of results. */
function conversation(steps: readonly (readonly Answered[])[]): Message[] {
  const messages: Message[] = [{ role: 'user', parts: [{ kind: 'text', text: 'Go.' }] }];
  steps.forEach((answers, step) => {
    const calls = answers.map(({ name = 'read_file', ...rest }, index) => ({
      id: `call${step}-${index}`,
      name,
      rest,
    }));
    messages.push({
      role: 'model',
      parts: calls.map(({ id, name }) => ({ kind: 'call', id, name, args: {} })),
    });
    messages.push({
      role: 'user',
      parts: calls.map(({ id, name, rest }) => ({ kind: 'result', id, name, ok: true, ...rest })),
    });
  });
  return messages;
}

function resultsOf(messages: readonly Message[]): readonly ResultPart[] {
  return messages.flatMap(({ parts }) => parts.filter(part => part.kind === 'result'));
}

function maskedIds(messages: readonly Message[]): readonly string[] {
  return resultsOf(messages).flatMap(({ id, text }) => (isMaskedResult(text) ? [id] : []));
}

function pathIn(text: string): string {
  return /The whole is in (.*): read parts of it with read_file\./.exec(text)![1]!;
}

describe('the decision', () => {
  const read = (message: number, tokens: number, maskable = tokens): SeenResult => ({
    message,
    part: 0,
    tokens,
    maskable,
  });
  const equal = (count: number, tokens: number) => Array.from({ length: count }, (_, at) => read(at, tokens));

  it.each([
    ['nothing of nothing', [], []],
    ['nothing while all fits', equal(5, 10_000), []],
    ['nothing while too little lies beyond', equal(7, 10_000), []],
    ['all that lies beyond, from 30,000 on', equal(8, 10_000), [0, 1, 2]],
    ['nothing one token below', [read(0, 29_999), ...equal(5, 10_000)], []],
    ['one old result that is large enough', [read(9, 30_000), ...equal(5, 10_000)], [9]],
    ['a read result too large to be protected', [read(0, 60_000)], [0]],
    ['only what saves something', [read(5, 50_000, 0), read(6, 30_000), ...equal(5, 10_000)], [6]],
    ['nothing where nothing saves', [read(5, 90_000, 0), ...equal(5, 10_000)], []],
  ])('masks %s', (_, results, expected) => {
    expect(slideWindow(emptyWindow, results).masked.map(({ message }) => message)).toEqual(expected);
  });

  it('is the same however the results come in', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 40_000 }), { maxLength: 40 });
    fc.assert(
      fc.property(sizes, all => {
        const window = all.reduce(
          (now, tokens, at) => slideWindow(now, [read(at, tokens)]).window,
          emptyWindow,
        );
        let start = all.length;
        for (let kept = 0; start > 0 && kept + all[start - 1]! <= 50_000; start--) kept += all[start - 1]!;
        const newest = [...all.keys()].slice(start);
        expect(window.newest.map(({ message }) => message)).toEqual(newest);
      }),
    );
  });
});

describe('the text in the place of a result', () => {
  it('keeps the first and the last ten lines of a command, its exit code and its notes', () => {
    const lines = Array.from({ length: 300 }, (_, at) => `line ${at + 1}`).join('\n');
    const text = `Exit code: 1\n<untrusted_output>\n${lines}\n</untrusted_output>\nThe whole is elsewhere.`;
    const head = Array.from({ length: 10 }, (_, at) => `line ${at + 1}`).join('\n');
    const tail = Array.from({ length: 10 }, (_, at) => `line ${at + 291}`).join('\n');
    expect(maskedResultText(text, '/out/a.txt')).toBe(
      `<masked_output>\nAn older result, shortened. The whole is in /out/a.txt: read parts of it with read_file.\n\nExit code: 1\n<untrusted_output>\n${head}\n… 280 lines left out …\n${tail}\n</untrusted_output>\nThe whole is elsewhere.\n</masked_output>`,
    );
  });

  it('keeps 250 characters of each end of anything else', () => {
    const text = `${'a'.repeat(250)}${'b'.repeat(5_000)}${'c'.repeat(250)}`;
    const masked = maskedResultText(text, '/out/a.txt');
    expect(masked).toContain(`\n\n${'a'.repeat(250)}\n… 5000 characters left out …\n${'c'.repeat(250)}\n`);
    expect(masked).not.toContain('b');
  });

  it.each([
    ['one endless line', 'x'.repeat(1_000_000)],
    ['ten endless lines at each end', Array(21).fill('x'.repeat(50_000)).join('\n')],
    [
      'a section amid endless text',
      `${'a'.repeat(90_000)}<untrusted_output>\nx\n</untrusted_output>${'b'.repeat(90_000)}`,
    ],
    ['a section that never ends', `<untrusted_output>\n${'x'.repeat(90_000)}`],
    ['a section that ends before it begins', `\n</untrusted_x>${'y'.repeat(90_000)}<untrusted_x>\n`],
  ])('is short for %s', (_, text) => {
    expect(maskedResultText(text, '/p').length).toBeLessThan(4_000);
  });

  it('cannot be closed from within, and holds no half of a character', () => {
    const masked = maskedResultText(`</masked_output>${'x'.repeat(233)}😀${'y'.repeat(900)}`, '/p');
    expect(masked.match(/<\/masked_output>/g)).toHaveLength(1);
    expect(masked).not.toMatch(/\p{Surrogate}/u);
  });

  it('keeps the standing instructions of a folder, which are told only once', () => {
    const memory = ['a', 'b']
      .map(
        name =>
          `\n\n<memory key="12345678" file="/${name}" for="/f">\nUse tabs. ${'m'.repeat(900)}\n</memory>`,
      )
      .join('');
    const masked = maskedResultText(`${sized(2_000)}${memory}`, '/p');
    expect(masked.endsWith(`\n</masked_output>${memory}`)).toBe(true);
  });
});

describe('masking a history', () => {
  const steps = (count: number, tokens = 10_000) =>
    Array.from({ length: count }, () => [{ text: sized(tokens) }]);

  it('shows the model each result whole at least once, and leaves the given messages alone', async () => {
    const messages = conversation(steps(9));
    const copy = structuredClone(messages);
    expect(maskedIds(await masking().apply(messages.slice(0, -2)))).toEqual([]);
    expect(maskedIds(await masking().apply(messages))).toEqual(['call0-0', 'call1-0', 'call2-0']);
    expect(messages).toEqual(copy);
    const large = conversation([[{ text: sized(200_000) }]]);
    expect(maskedIds(await masking().apply(large))).toEqual([]);
    const prompt: Message = { role: 'user', parts: [{ kind: 'text', text: 'And now?' }] };
    expect(maskedIds(await masking().apply([...large, prompt]))).toEqual([]);
  });

  it('never masks topics, tasks, short results and binary content', async () => {
    const blobs = [{ mimeType: 'application/pdf', data: 'aaaa' }];
    const messages = conversation([
      [{ name: 'create_new_topic', text: sized(40_000) }],
      [{ name: 'write_todos', text: sized(40_000) }],
      Array.from({ length: 400 }, () => ({ text: sized(100) })),
      [
        { text: 'A document.', blobs },
        { text: 'Another.', blobs },
      ],
      ...steps(9),
    ]);
    const shown = await masking().apply(messages);
    expect(maskedIds(shown)).toEqual(['call4-0', 'call5-0', 'call6-0']);
  });

  it('keeps every message the same object from step to step until it is masked', async () => {
    const all = conversation(steps(60));
    const live = masking();
    let before: readonly Message[] = [];
    let changed = 0;
    for (let length = 1; length <= all.length; length += 2) {
      const shown = [...(await live.apply(all.slice(0, length)))];
      const changedNow = before.filter((message, at) => message !== shown[at]);
      expect([0, 3]).toContain(changedNow.length);
      changed += changedNow.length;
      before = shown;
    }
    expect(changed).toBe(maskedIds(before).length);
    expect(changed).toBeGreaterThan(45);
  });

  it('saves each whole once, under a name that the call itself does not use', async () => {
    const saved: string[] = [];
    const live = masking(async (name, text) => {
      saved.push(name);
      return store.saveOutput('s', name, text);
    });
    const whole = await store.saveOutput('s', 'read_file-call0-0.txt', 'the whole of what was cut');
    const messages = conversation(steps(9));
    await live.apply(messages);
    await live.apply(messages);
    expect(saved).toEqual([0, 1, 2].map(step => `read_file-call${step}-0.result.txt`));
    expect(await readFile(whole, 'utf8')).toBe('the whole of what was cut');
  });

  it('starts over after a rewind, as a resumed session would', async () => {
    const messages = conversation(steps(20));
    const live = masking();
    await live.apply(messages);
    const kept = messages.slice(0, 9);
    expect(await live.apply(kept)).toEqual(kept);
    const other = [...kept, ...conversation(steps(12, 12_000)).slice(9)];
    expect(await live.apply(other)).toEqual(await masking().apply(other));
    expect(await live.apply(messages)).toEqual(await masking().apply(messages));
  });

  it('sends whole what could not be saved, says so, and masks it when the disk has room again', async () => {
    let full = true;
    const live = masking(async (name, text) => {
      if (full && name.includes('call1')) throw new Error('No space left on the device.');
      return store.saveOutput('s', name, text);
    });
    const messages = conversation(steps(9));
    expect(maskedIds(await live.apply(messages))).toEqual(['call0-0', 'call2-0']);
    expect(warnings).toEqual(['A result of read_file stays in the request: No space left on the device.']);
    full = false;
    expect(await live.apply(messages)).toEqual(await masking().apply(messages));
  });
});

describe('whatever the results are', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 200 }),
    fc.integer({ min: 1, max: 30_000 }).map(sized),
    fc
      .integer({ min: 0, max: 20_000 })
      .map(count => `Exit code: 0\n<untrusted_output>\n${'line ä\n'.repeat(count)}</untrusted_output>`),
    fc.integer({ min: 0, max: 20_000 }).map(count => '😀'.repeat(count)),
  );
  const answered = fc.record({
    name: fc.constantFrom('read_file', 'run_shell_command', 'create_new_topic', 'write_todos'),
    text,
  });
  const histories = fc
    .array(fc.array(answered, { minLength: 1, maxLength: 3 }), { maxLength: 14 })
    .map(conversation);

  it('what is masked is old, saves tokens and lies whole on the disk, and nothing else is touched', async () => {
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(histories, async messages => {
        const shown = [...(await masking().apply(messages))];
        expect(historyFaults(new History().forRequest(shown))).toEqual([]);
        const bare = (all: readonly Message[]) =>
          all.map(({ role, parts }) => ({
            role,
            parts: parts.map(part => (part.kind === 'result' ? { ...part, text: '' } : part)),
          }));
        expect(bare(shown)).toEqual(bare(messages));
        const whole = resultsOf(messages);
        const sent = resultsOf(shown);
        let newer = 0;
        for (let at = whole.length - 1; at >= 0; at--) {
          if (/^(read|run)/.test(whole[at]!.name)) newer += estimatePart(whole[at]!);
          if (sent[at]!.text === whole[at]!.text) continue;
          seen++;
          expect(newer).toBeGreaterThan(50_000);
          expect(whole[at]!.name).toMatch(/^(read_file|run_shell_command)$/);
          expect(estimatePart(sent[at]!)).toBeLessThan(estimatePart(whole[at]!));
          expect(await readFile(pathIn(sent[at]!.text), 'utf8')).toBe(whole[at]!.text);
        }
      }),
      { numRuns: runSize({ test: 40, prove: 1000 }) },
    );
    expect(seen).toBeGreaterThan(0);
  });

  it('masking again changes nothing, and step by step comes to the same as all at once', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async messages => {
        const live = masking();
        for (let length = 1; length < messages.length; length += 2)
          await live.apply(messages.slice(0, length));
        const shown = [...(await live.apply(messages))];
        expect(await live.apply(messages)).toEqual(shown);
        expect(await masking().apply(messages)).toEqual(shown);
      }),
      { numRuns: runSize({ test: 10, prove: 500 }) },
    );
  });

  it('a preview is neither masked once more nor counted, however long it is', async () => {
    const previews = Array.from({ length: 20 }, () => [{ text: `<masked_output>\n${sized(9_000)}` }]);
    const messages = conversation([...previews, [{ text: sized(30_000) }], [{ text: sized(100) }]]);
    expect(await masking().apply(messages)).toEqual(messages);
  });
});
