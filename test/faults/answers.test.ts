/* Streams that begin well and are not what an answer should be. */

import { describe, expect, test } from 'vitest';
import { type Wire, wires } from '../support/faultWires.ts';
import { expectOneSentence, expectTriedAgain, FaultWorld } from '../support/faultWorld.ts';
import { begin, endless, type FaultyAnswer, streamed } from '../support/faultyServer.ts';
import { runSize } from '../support/runSize.ts';

type Row = readonly [string, (wire: Wire) => FaultyAnswer, says: RegExp];

/** Each is tried again, and when it stays so it ends with a sentence. */
const broken: readonly Row[] = [
  ['is empty', () => streamed(), /ended early|empty/],
  ['is nothing but blank lines', () => streamed('\r\n\r\n\r\n\r\n'), /ended early|empty|cannot be read/],
  ['ends without saying that it is over', wire => streamed(wire.text('So far')), /ended early/],
  [
    'is cut in the middle of a character',
    wire => streamed(cutBehind(wire.text('Grüße'), 0xc3)),
    /ended early/,
  ],
  ['is cut in the middle of a token', wire => streamed(wire.text('So'), '\ndata: {"cand'), /ended early/],
  ['is cut within its end', wire => streamed(wire.text('So far'), wire.finish.slice(0, 30)), /ended early/],
  [
    'holds a chunk of garbage',
    wire => streamed(wire.text('So'), wire.event('{"a": [}'), wire.finish),
    /ended early|cannot be read/,
  ],
  [
    'holds bytes that are no text',
    () => streamed(Uint8Array.of(0xff, 0xfe, 0x00, 0x80, 0x0a, 0x0a)),
    /ended early|empty/,
  ],
  ['is an event of null', () => streamed('data: null\n\n'), /ended early|empty|cannot be read/],
  ['is an event of a list', () => streamed('data: [1, [2], null]\n\n'), /ended early|empty|cannot be read/],
  ['turns into an error', wire => streamed(wire.text('So'), wire.breakdown), /overloaded/],
];

const floods: readonly Row[] = [
  [
    'never ends its first line',
    () => endless(200, 'text/event-stream', 'x'.repeat(65_536)),
    /more than 4.0 MB/,
  ],
  ['never ends one piece of text', wire => endlessPiece(wire), /more than 4.0 MB/],
];

/** All wires are bounded in the same place, and each attempt costs megabytes. */
const flooded = wires.slice(0, runSize({ test: 1, prove: wires.length }));

describe.for(flooded)('over $name a flood that', wire => {
  test.for(floods)('%s each time ends in one sentence', ([, fault, says]) =>
    expectOneSentence(wire, fault(wire), says),
  );

  test.for(floods)('%s is asked for again', ([, fault]) => expectTriedAgain(wire, fault(wire), 1));

  test('never stops growing is cut off', async () => {
    const world = await FaultWorld.make(wire);
    world.server.script.push(endless(200, 'text/event-stream', wire.text('On and on. '.repeat(25_000))));
    world.server.always = world.good('Here it is.');
    await world.expectAnswer('Hello.', 'Here it is.');
    expect(world.retries.map(({ reason }) => reason).join()).toContain('more than 64.0 MB');
    await world.expectSound();
    await world.server.stop();
  });

  test('is a refusal that never stops growing is cut off', async () => {
    const world = await FaultWorld.make(wire);
    world.server.script.push(endless(500, 'text/plain', `${'x'.repeat(262_143)}\n`));
    world.server.always = world.good('Here it is.');
    await world.expectAnswer('Hello.', 'Here it is.');
    expect(world.retries).toHaveLength(1);
    await world.expectSound();
    await world.server.stop();
  });
});

describe.for(wires)('over $name an answer that', wire => {
  test.for(broken)('%s is asked for again', ([, fault]) => expectTriedAgain(wire, fault(wire), 1));

  test.for(broken)('%s each time ends in one sentence', ([, fault, says]) =>
    expectOneSentence(wire, fault(wire), says),
  );

  test('comes in pieces that are torn at every byte is read whole', async () => {
    const world = await FaultWorld.make(wire);
    const bytes = new TextEncoder().encode(wire.text('Grüße 👋 "日本" \\n') + wire.finish);
    world.server.always = streamed(...Array.from(bytes, byte => Uint8Array.of(byte)));
    await world.expectAnswer('Hello.', 'Grüße 👋 "日本" \\n');
    expect(world.retries).toEqual([]);
    await world.expectSound();
    await world.server.stop();
  });

  test('has events and fields that nobody knows is read without them', async () => {
    const world = await FaultWorld.make(wire);
    const unknown = [
      ': hello\n\n',
      'event: ping\ndata: {}\n\n',
      'data: {"candidates":[],"choices":[],"x":1}\n\n',
    ];
    world.server.always = streamed(...unknown, wire.text('Here it is.'), ...unknown, wire.finish);
    await world.expectAnswer('Hello.', 'Here it is.');
    await world.expectSound();
    await world.server.stop();
  });

  test('repeats a chunk of text and its end is an answer', async () => {
    const world = await FaultWorld.make(wire);
    const piece = wire.text('Hm. ');
    world.server.script.push(streamed(piece, piece, wire.finish, wire.finish));
    await world.expectAnswer('Hello.', 'Hm. Hm. ');
    expect(world.retries).toEqual([]);
    await world.expectSound();
    await world.server.stop();
  });
});

describe.for(wires)('over $name a call', wire => {
  test('that comes twice is answered as often as it is made, or asked for again', async () => {
    const world = await FaultWorld.make(wire);
    const piece = wire.call('read_file', { file_path: 'a.txt' });
    world.server.script.push(streamed(piece, piece, wire.finish), world.good('alpha'), world.good('alpha'));
    await world.expectAnswer('Read it.', 'alpha');
    const ends = world.events.filter(event => event.type === 'call.ended').map(({ outcome }) => outcome);
    expect([ends, world.retries.length]).toEqual(wire.name === 'openai' ? [['ok'], 0] : [['ok', 'ok'], 0]);
    await world.expectSound();
    await world.server.stop();
  });

  test.for([
    ['are a text', 'a.txt'],
    ['are a list', ['a.txt']],
    ['are nothing', null],
    ['have another type', { file_path: 7 }],
    ['have other names', { uri: 'a.txt' }],
    ['are a deep well', { file_path: deep(500) }],
  ])('whose arguments %s is answered with what is wrong, or asked for again', async ([, args]) => {
    const world = await FaultWorld.make(wire);
    world.server.script.push(streamed(wire.call('read_file', args), wire.finish));
    world.server.always = world.good('I see.');
    await world.expectAnswer('Read it.', 'I see.');
    const ends = world.events.filter(event => event.type === 'call.ended').map(({ outcome }) => outcome);
    expect([...ends, ...world.retries.map(() => 'again')]).toHaveLength(1);
    expect(ends).not.toContain('ok');
    await world.expectSound();
    await world.server.stop();
  });

  test('that is cut within its arguments is not carried out', async () => {
    const world = await FaultWorld.make(wire);
    const whole = wire.call('write_file', { file_path: 'a.txt', content: 'one two three' });
    const cuts = [whole.indexOf('one two') + 4, whole.indexOf('three') + 5, whole.length - 3, whole.length];
    for (const cut of cuts) world.server.script.push(streamed(whole.slice(0, cut)));
    world.server.always = world.good('I see.');
    // A call of Gemini comes whole or not at all.
    const carriedOut = wire.name === 'gemini' ? 1 : 0;
    await world.world.session.send('Write it.');
    expect(world.events.filter(event => event.type === 'call.ended')).toHaveLength(carriedOut);
    expect(world.world.files.get('a.txt')).toBe(carriedOut ? 'one two three' : 'alpha');
    await world.expectSound();
    await world.server.stop();
  });
});

/** Up to and with the first such byte. */
function cutBehind(text: string, byte: number): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  return bytes.subarray(0, bytes.indexOf(byte) + 1);
}

/** The beginning of an event, and then only more of its text. */
function endlessPiece(wire: Wire): FaultyAnswer {
  const start = wire.text('So').split('So')[0]!;
  return async connection => {
    await begin([start])(connection);
    const { response, gone } = connection;
    const more = () => {
      while (!gone.aborted && response.write('on and on '.repeat(6000)));
    };
    response.on('drain', more);
    more();
  };
}

function deep(levels: number): unknown {
  return levels === 0 ? 'a.txt' : { in: deep(levels - 1) };
}
