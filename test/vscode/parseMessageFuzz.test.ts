import { describe, expect, test } from 'vitest';
import {
  handleMessage,
  type PanelHandlers,
} from '../../src/extension/vscode/panel/handlers/panelHandlers.ts';
import type { PanelPage } from '../../src/extension/vscode/panel/panelPage.ts';
import { describeMessage, parseMessage } from '../../src/extension/vscode/panel/parseMessage.ts';
import { intentionSchemas, type ToHost } from '../../src/protocol/intentions.ts';
import { messageExamples as messages } from '../support/messageExamples.ts';
import { fc } from '../support/properties.ts';
import { runSize } from '../support/runSize.ts';

const types = Object.keys(intentionSchemas);

type Path = readonly (string | number)[];

/** What stands in a wrong place: each of these is put at every place of every message. */
const strange: Readonly<Record<string, unknown>> = {
  nothing: undefined,
  null: null,
  true: true,
  'a number': 7,
  zero: 0,
  'a negative number': -1,
  'a fraction': 1.5,
  'not a number': Number.NaN,
  infinity: Number.POSITIVE_INFINITY,
  'a large number': 2 ** 53,
  'a bigint': 1n,
  'an empty text': '',
  'a text': 'text',
  'a text of megabytes': 'x'.repeat(3_000_000),
  'an empty list': [],
  'a list of lists': [[[]]],
  'a list with holes': new Array(3),
  'an empty object': {},
  'a prototype': JSON.parse(
    '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}',
  ),
  'an object without a prototype': Object.create(null),
  'a date': new Date(0),
  'a map': new Map([['type', 'turn.stop']]),
  'a set': new Set(['turn.stop']),
  bytes: new Uint8Array(8),
  'an object with a length': { length: 2 ** 31, 0: 'a' },
  'something deep': deep(20_000),
};

function deep(depth: number): unknown {
  let value: unknown = 'bottom';
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { value };
  return value;
}

/** Every place in a value, the value itself among them. */
function placesIn(value: unknown, at: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, member]) => placesIn(member, [...at, key]))];
}

function withValue(value: unknown, [key, ...rest]: Path, put: unknown): unknown {
  if (key === undefined) return put;
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) };
  Reflect.set(copy, key, withValue(Reflect.get(copy, key), rest, put));
  return copy;
}

function withoutKey(value: unknown, at: Path): unknown {
  const copy = structuredClone(value);
  const owner = at.slice(0, -1).reduce<unknown>((inside, key) => Reflect.get(inside as object, key), copy);
  Reflect.deleteProperty(owner as object, at.at(-1)!);
  return copy;
}

/** Each leaf as `type.path kind typeof`; of the same message with other content they are the same. */
function shapeOf(value: unknown, at: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(item => shapeOf(item, `${at}[]`));
  if (typeof value !== 'object' || value === null) return [`${at} ${value === null ? 'null' : typeof value}`];
  const kind = Reflect.get(value, 'kind');
  const name = typeof kind === 'string' ? `${at}<${kind}>` : at;
  return Object.entries(value).flatMap(([key, member]) => shapeOf(member, `${name}.${key}`));
}

const knownShapes = new Set(messages.flatMap(message => shapeOf(message, message.type)));

/** An independent check what came through: only leaves that some valid message has, of the same type. */
function expectWellFormed(value: unknown): void {
  const parsed = parseMessage(value);
  if (parsed === undefined) return;
  expect(types).toContain(parsed.type);
  expect(
    shapeOf(parsed, parsed.type).filter(leaf => !knownShapes.has(leaf) && !leaf.endsWith(' undefined')),
  ).toEqual([]);
  expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
  JSON.stringify(parsed, (_key, member) => {
    if (typeof member === 'number') expect(Number.isSafeInteger(member) && member >= 0).toBe(true);
    return member;
  });
}

describe('whatever the page sends', () => {
  test.each(Object.entries(strange))(
    '%s at any place of any message is refused or harmless',
    (_name, put) => {
      for (const message of messages)
        for (const at of placesIn(message)) expectWellFormed(withValue(message, at, put));
    },
  );

  test('a message without one of its members is refused or complete without it', () => {
    for (const message of messages)
      for (const at of placesIn(message).slice(1)) expectWellFormed(withoutKey(message, at));
  });

  test('a member that nobody knows, wherever it is put, does not come through', () => {
    for (const message of messages) {
      for (const at of placesIn(message)) {
        const value = at.reduce<unknown>((inside, key) => Reflect.get(inside as object, key), message);
        if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
        for (const key of ['force', '__proto__', 'constructor', 'toString', 'then'])
          expectWellFormed(
            withValue(message, at, Object.defineProperty({ ...value }, key, own({ polluted: true }))),
          );
      }
    }
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  test('the type of one message with the members of another is refused or well formed', () => {
    for (const { type } of messages) for (const message of messages) expectWellFormed({ ...message, type });
  });

  test('any value at all neither throws nor comes through ill formed', () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withSparseArray: true,
      withTypedArray: true,
      withNullPrototype: true,
      withObjectString: true,
    });
    const type = fc.constantFrom(...types);
    const typed = fc.record({ type }, { requiredKeys: ['type'] });
    const mixed = fc
      .tuple(typed, fc.dictionary(fc.constantFrom(...members), anything))
      .map(([a, b]) => ({ ...b, ...a }));
    fc.assert(
      fc.property(fc.oneof(anything, fc.jsonValue(), mixed), value => {
        expectWellFormed(value);
        expect(describeMessage(value)).toMatch(/^[\w.]{1,60}$/);
      }),
      { numRuns: runSize({ test: 500, prove: 60_000 }) },
    );
  });

  test('no handler is called for a type that it does not know', async () => {
    const heard: string[] = [];
    const page = {} as PanelPage;
    const handlers = Object.fromEntries(
      types.map(type => [type, (message: ToHost) => heard.push(`${type} ${message.type}`)]),
    ) as unknown as PanelHandlers;
    const strangers = [
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      'valueOf',
      'turn.stop ',
      'TURN.STOP',
      '',
    ];
    for (const type of [...strangers, ...types]) {
      const message = parseMessage({ type });
      if (message) await handleMessage(handlers, message, page);
    }
    for (const each of heard) expect(new Set(each.split(' ')).size).toBe(1);
    expect(heard).toContain('turn.stop turn.stop');
    expect(heard.join()).not.toMatch(/proto|constructor|toString|valueOf|TURN/);
  });
});

const members = [...new Set(messages.flatMap(message => placesIn(message).flat()))].map(String);

function own(value: unknown): PropertyDescriptor {
  return { value, enumerable: true, configurable: true, writable: true };
}
