import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../src/extension/base/canonicalJson.ts';
import { CallLoopDetector, type LoopCall } from '../../../src/extension/core/loops/callLoopDetector.ts';
import { fc } from '../../support/properties.ts';
import { runSize } from '../../support/runSize.ts';

const lengths = [1, 2, 3, 4, 5];

/** Each letter is a call of its own with the same result each time. */
function feed(
  loops: CallLoopDetector,
  letters: string,
  resultOf: (letter: string, index: number) => string = l => l,
) {
  [...letters].forEach((letter, index) => {
    loops.add(callOf(letter), resultOf(letter, index));
  });
  return loops.found;
}

function callOf(letter: string): LoopCall {
  return { name: 'read_file', args: { file_path: `${letter}.ts` } };
}

const circle = (length: number) => 'ABCDE'.slice(0, length);
const changing = (_letter: string, index: number) => `result ${index}`;

describe('a circle of calls', () => {
  it.each(lengths)('of %i calls is found at its fifth round, not one call earlier', length => {
    const five = circle(length).repeat(5);
    expect(feed(new CallLoopDetector(), five.slice(0, -1))).toBeUndefined();
    expect(feed(new CallLoopDetector(), five)).toMatchObject({ rounds: 5, sameResults: true });
    expect(feed(new CallLoopDetector(), five)?.calls).toHaveLength(length);
  });

  it.each(lengths)('of %i calls is found behind other calls too', length => {
    expect(feed(new CallLoopDetector(), `xyzwvu${circle(length).repeat(5)}`)?.calls).toHaveLength(length);
  });

  it.each(lengths)('of %i calls whose results change takes ten rounds', length => {
    const ten = circle(length).repeat(10);
    expect(feed(new CallLoopDetector(), ten.slice(0, -1), changing)).toBeUndefined();
    expect(feed(new CallLoopDetector(), ten, changing)).toMatchObject({ rounds: 10, sameResults: false });
  });

  it.each(lengths)('of %i calls is broken by one other call in its last round', length => {
    expect(
      feed(new CallLoopDetector(), `${circle(length).repeat(5).slice(0, -1)}z${circle(length).repeat(3)}`),
    ).toBeUndefined();
  });

  it('that waits before it looks again takes ten rounds, whatever it sees', () => {
    const poll = { name: 'run_shell_command', args: { command: 'sleep 20 && tail -n 1 build.log' } };
    const loops = new CallLoopDetector();
    for (let round = 1; round < 10; round++) loops.add(poll, 'still building');
    expect(loops.found).toBeUndefined();
    loops.add(poll, 'still building');
    expect(loops.found).toMatchObject({ rounds: 10, sameResults: true });
  });

  it('of six different calls is none', () => {
    expect(feed(new CallLoopDetector(), 'ABCDEF'.repeat(20))).toBeUndefined();
  });

  it.each([
    ['many files, one after the other', 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'],
    ['a test after each of many edits', [...'abcdefghijklmnopqrstuvw'].map(letter => `${letter}T`).join('')],
    ['four times the same', 'AAAABAAAACAAAA'],
    ['a circle that grows', 'ABACABADABACABAEABACABAD'],
    ['the same pair, turned round in between', 'ABABABABBABABABA'],
    ['one file read before each edit of another', 'RaRbRcRdReRfRgRhRi'],
  ])('is not seen in %s', (_name, letters) => {
    expect(feed(new CallLoopDetector(), letters)).toBeUndefined();
  });

  it('counts from the last different result on', () => {
    const turns = (letter: string, index: number) => (index < 3 ? `${letter}${index}` : letter);
    expect(feed(new CallLoopDetector(), 'AAAAAAA', turns)).toBeUndefined();
    expect(feed(new CallLoopDetector(), 'AAAAAAAA', turns)?.sameResults).toBe(true);
  });

  it('counts calls with the same input in another order of members as the same', () => {
    const loops = new CallLoopDetector();
    for (let n = 0; n < 5; n++) {
      const args = n % 2 ? { a: 1, b: { c: [1, 2], d: null } } : { b: { d: null, c: [1, 2] }, a: 1 };
      loops.add({ name: 'x', args }, 'same');
    }
    expect(loops.found).toBeDefined();
  });

  it('tells calls of different tools with the same input apart', () => {
    const loops = new CallLoopDetector();
    for (let n = 0; n < 30; n++) loops.add({ name: `tool${n % 7}`, args: {} }, 'same');
    expect(loops.found).toBeUndefined();
  });

  it('is forgotten when another turn begins', () => {
    const loops = new CallLoopDetector();
    feed(loops, 'AAAA');
    loops.reset();
    expect(feed(loops, 'AAAA')).toBeUndefined();
    expect(feed(loops, 'A')).toBeDefined();
  });

  it('is found again after three rounds once the model was told, wherever it begins', () => {
    const loops = new CallLoopDetector();
    expect(feed(loops, 'ABABABABAB')).toBeDefined();
    loops.settle();
    expect(feed(loops, 'BABAB')).toBeUndefined();
    expect(feed(loops, 'A')).toMatchObject({ rounds: 3 });
    loops.reset();
    expect(feed(loops, 'ABABABABA')).toBeUndefined();
  });

  it('of another kind after a nudge takes five rounds again', () => {
    const loops = new CallLoopDetector();
    feed(loops, 'AAAAA');
    loops.settle();
    expect(feed(loops, 'BBBB')).toBeUndefined();
    expect(feed(loops, 'B')).toBeDefined();
  });
});

describe('for all calls', () => {
  it('the finding agrees with comparing the last rounds one by one', () => {
    const letters = fc.array(fc.constantFrom('A', 'B', 'C'), { maxLength: 60 });
    const prefixed = fc.tuple(
      letters,
      fc.array(fc.constantFrom('A', 'B', 'C'), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 6 }),
    );
    fc.assert(
      fc.property(prefixed, ([before, repeated, times]) => {
        const all = [...before, ...Array.from({ length: times }, () => repeated).flat()];
        expect(feed(new CallLoopDetector(), all.join('')) !== undefined).toBe(hasCircle(all));
      }),
      { numRuns: runSize({ test: 150, prove: 20_000 }) },
    );
  });

  it('nothing is thrown, whatever they hold', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.anything(), fc.string())), calls => {
        const loops = new CallLoopDetector();
        for (const [name, args, result] of calls) loops.add({ name, args: withoutBigints(args) }, result);
      }),
    );
  });

  it('deep nesting is no danger', () => {
    let args: unknown = 1;
    for (let depth = 0; depth < 50_000; depth++) args = [args];
    expect(() => new CallLoopDetector().add({ name: 'deep', args }, '')).not.toThrow();
  });
});

describe('canonical JSON', () => {
  it('is JSON of the same data', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('differs where data differ', () => {
    const texts = [{ a: 1 }, { a: '1' }, { a: [1] }, { a: null }, {}, [], '', null].map(each =>
      canonicalJson(each),
    );
    expect(new Set(texts).size).toBe(texts.length);
  });
});

function hasCircle(all: readonly string[]): boolean {
  return all.some((_call, end) =>
    lengths.some(length => {
      const from = end + 1 - length * 5;
      if (from < 0) return false;
      return all.slice(from, end + 1).every((letter, index) => letter === all[from + (index % length)]);
    }),
  );
}

/** Arguments come from JSON, which has none. */
function withoutBigints(value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
