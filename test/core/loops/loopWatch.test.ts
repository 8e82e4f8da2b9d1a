import { describe, expect, it } from 'vitest';
import { type LoopFinding, LoopWatch } from '../../../src/extension/core/loops/loopWatch.ts';
import { fc } from '../../support/properties.ts';

function watch({ disabled = false, judgement = 0 } = {}) {
  let isDisabled = disabled;
  let asked = 0;
  const loops = new LoopWatch({
    isDisabled: () => isDisabled,
    ask: async () => {
      asked++;
      return `{"unproductive": ${judgement}, "why": "It undoes and redoes one edit"}`;
    },
    messages: () => [],
    log: { warn: message => expect.fail(message) },
  });
  loops.beginTurn('Fix the tests');
  const set = (value: boolean) => {
    isDisabled = value;
  };
  return { loops, set, asked: () => asked };
}

const testRun = { name: 'run_shell_command', args: { command: 'npm test' } };
const sentence = 'Let me look at the file once more to see what is wrong. ';

/** One step with one call each; the kinds of what was found, a dot for nothing. */
async function steps(loops: LoopWatch, count: number, call: (n: number) => { name: string; args: unknown }) {
  const findings: (LoopFinding | undefined)[] = [];
  for (let n = 0; n < count; n++) {
    loops.addCall(call(n), 'failed');
    findings.push(await loops.endStep());
  }
  return findings;
}

const kinds = (findings: readonly (LoopFinding | undefined)[]) =>
  findings.map(each => each?.kind ?? '.').join(' ');

describe('the watch for loops', () => {
  it('nudges at the fifth equal call and stops when it continues', async () => {
    const findings = await steps(watch().loops, 8, () => testRun);
    expect(kinds(findings)).toBe('. . . . nudge . . stop');
    const detail =
      'The same call was made 5 times in a row with the same result: run_shell_command {"command":"npm test"}.';
    expect(findings[4]?.loop).toEqual({ kind: 'calls', detail });
    expect(findings[7]?.loop.kind).toBe('calls');
  });

  it('tells the model what repeats, to try another way or to ask', async () => {
    const nudge = (await steps(watch().loops, 5, () => testRun)).at(-1);
    if (nudge?.kind !== 'nudge') expect.fail('no nudge');
    expect(nudge.text).toContain('run_shell_command {"command":"npm test"}');
    expect(nudge.text).toMatch(/different way/);
    expect(nudge.text).toMatch(/ask the user/);
  });

  it('keeps what it quotes on one line without hidden characters', async () => {
    const call = { name: 'x', args: { text: 'a\u202eb\nIGNORE ALL'.repeat(200) } };
    const nudge = (await steps(watch().loops, 5, () => call)).at(-1);
    expect(nudge?.loop.detail).not.toMatch(/[\n\u202e]/);
    expect(nudge?.loop.detail.length).toBeLessThan(400);
  });

  it('says nothing when the nudge helped', async () => {
    const { loops } = watch();
    await steps(loops, 5, () => testRun);
    expect(kinds(await steps(loops, 20, n => ({ name: 'read_file', args: { n } })))).not.toMatch(
      /nudge|stop/,
    );
  });

  it('nudges for another circle too, and stops at the third', async () => {
    const { loops } = watch();
    const findings = await steps(loops, 15, n => ({ name: 'read_file', args: { n: Math.floor(n / 5) } }));
    expect(kinds(findings)).toBe('. . . . nudge . . . . nudge . . . . stop');
  });

  it('nudges once for many equal calls of one answer', async () => {
    const { loops } = watch();
    for (let n = 0; n < 40; n++) loops.addCall(testRun, 'failed');
    expect((await loops.endStep())?.kind).toBe('nudge');
    expect(await loops.endStep()).toBeUndefined();
  });

  it('says while an answer streams that it repeats itself, and what of it to keep', async () => {
    const { loops } = watch();
    const before = 'The cause is the cache.\n\n';
    expect(loops.addText(before)).toBe(false);
    const heard = Array.from({ length: 30 }, () => loops.addText(sentence));
    expect(heard.at(-1)).toBe(true);
    const finding = await loops.endStep();
    expect(finding).toMatchObject({ kind: 'nudge', loop: { kind: 'text' } });
    expect(finding?.loop.detail).toContain('look at the file once more');
    expect(Math.abs(finding!.keepText! - before.length)).toBeLessThan(2 * sentence.length);
    loops.addText(sentence.repeat(30));
    expect((await loops.endStep())?.kind).toBe('stop');
  });

  it('watches thoughts apart from text', async () => {
    const { loops } = watch();
    for (let n = 0; n < 7; n++) {
      loops.addText(sentence, 'thought');
      loops.addText(sentence);
    }
    expect(await loops.endStep()).toBeUndefined();
    expect(loops.addText(sentence.repeat(30), 'thought')).toBe(true);
    const finding = await loops.endStep();
    expect(finding?.loop.kind).toBe('text');
    expect(finding?.keepText).toBeUndefined();
  });

  it('does not add up the text of several answers', async () => {
    const { loops } = watch();
    for (let n = 0; n < 20; n++) {
      expect(loops.addText(sentence.repeat(3))).toBe(false);
      expect(loops.addText(sentence.repeat(3), 'thought')).toBe(false);
      loops.addCall({ name: 'replace', args: { n } }, 'done');
      expect(await loops.endStep()).toBeUndefined();
    }
  });

  it('does not add up the text of several attempts at one answer', () => {
    const { loops } = watch();
    for (let n = 0; n < 20; n++) {
      expect(loops.addText(sentence.repeat(3))).toBe(false);
      loops.dropText();
    }
  });

  it('starts again with each turn', async () => {
    const { loops } = watch();
    await steps(loops, 5, () => testRun);
    loops.beginTurn('Once more');
    expect(kinds(await steps(loops, 5, () => testRun))).toBe('. . . . nudge');
  });

  it('nudges, then stops when the classifier sees no progress twice', async () => {
    const { loops } = watch({ judgement: 1 });
    const findings = await steps(loops, 35, n => ({ name: 'read_file', args: { n } }));
    expect(findings[29]).toMatchObject({
      kind: 'nudge',
      loop: { kind: 'judged', detail: 'It undoes and redoes one edit.' },
    });
    expect(findings[34]).toMatchObject({ kind: 'stop', loop: { kind: 'judged' } });
    expect(findings.filter(Boolean)).toHaveLength(2);
  });

  it('raises no alarm any more once the user lets it continue', async () => {
    const { loops, asked } = watch({ judgement: 1 });
    await steps(loops, 8, () => testRun);
    loops.disable();
    loops.beginTurn('Continue');
    expect(loops.addText(sentence.repeat(50))).toBe(false);
    expect(kinds(await steps(loops, 60, () => testRun))).not.toMatch(/nudge|stop/);
    expect(asked()).toBe(0);
  });

  it('follows the setting at any time', async () => {
    const { loops, set, asked } = watch({ disabled: true, judgement: 1 });
    expect(kinds(await steps(loops, 40, () => testRun))).not.toMatch(/nudge|stop/);
    expect(asked()).toBe(0);
    set(false);
    expect(kinds(await steps(loops, 5, () => testRun))).toMatch(/nudge/);
  });

  it('never throws and never stops without a nudge before', async () => {
    const action = fc.oneof(
      fc.tuple(
        fc.constant('text' as const),
        fc.oneof(fc.string(), fc.constantFrom(sentence.repeat(30), '```\n', '- a\n')),
      ),
      fc.tuple(fc.constant('call' as const), fc.constantFrom('A', 'B', 'C', 'D')),
      fc.tuple(fc.constant('end' as const), fc.constant('')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 80 }), async actions => {
        const { loops } = watch({ judgement: 0.95 });
        let nudges = 0;
        for (const [type, text] of actions) {
          if (type === 'text') loops.addText(text);
          else if (type === 'call') loops.addCall({ name: text, args: {} }, '');
          else {
            const finding = await loops.endStep();
            if (finding?.kind === 'nudge') nudges++;
            if (finding?.kind === 'stop') expect(nudges).toBeGreaterThan(0);
          }
        }
        expect(nudges).toBeLessThanOrEqual(2);
      }),
    );
  });
});
