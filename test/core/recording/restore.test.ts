import { describe, expect, it } from 'vitest';
import { restoreSession } from '../../../src/extension/core/recording/restore.ts';
import { makeWorld } from '../../support/conversation.ts';
import { dose } from '../../support/dose.ts';
import { fc } from '../../support/properties.ts';

const read = { kind: 'call', id: 'c1', name: 'read_file', args: { file_path: 'a.txt' } } as const;
const topic = { kind: 'call', id: 'c2', name: 'create_new_topic', args: { title: 'Reading' } } as const;

/** The journal of a session with a chapter, a call and two turns. */
async function journal(): Promise<readonly string[]> {
  const { session, store } = makeWorld({
    files: { 'a.txt': 'hello' },
    answers: [
      { parts: [topic, read] },
      { parts: [{ kind: 'text', text: 'It says hello.' }] },
      { parts: [{ kind: 'text', text: 'You are welcome.' }] },
    ],
  });
  await session.send('Read it');
  await session.send('Thank you');
  await session.dispose();
  return store.readJournal(session.id);
}

const notices = (lines: readonly string[]) =>
  restoreSession(lines).closing.flatMap(event => (event.type === 'notice.shown' ? [event.text] : []));

describe('a journal that is read back', () => {
  it('leaves out what a newer version wrote, says so once, and never gives its number away again', async () => {
    const lines = await journal();
    const whole = restoreSession(lines);
    const future = `{"type":"dream.begun","of":"sheep","seq":${whole.state.seq + 1},"at":5}`;
    const { state, closing, unknown, events } = restoreSession([...lines, future]);
    expect(unknown).toBe(1);
    expect(state).toEqual({ ...whole.state, seq: whole.state.seq + 1 });
    expect(events).toEqual(whole.events);
    expect(notices([...lines, future])).toEqual([
      expect.stringContaining('1 event of this session was written by a newer version'),
    ]);
    const told = closing.map((event, index) =>
      JSON.stringify({ ...event, seq: state.seq + 1 + index, at: 6 }),
    );
    expect(notices([...lines, future, ...told])).toEqual([]);
  });

  it('counts lines that hold no event, or not what their type promises', async () => {
    const lines = await journal();
    const bad = [
      '',
      '{',
      'null',
      '[]',
      '{"type":"turn.started"}',
      '{"type":"message.added","seq":999,"at":1}',
    ];
    const { state, unreadable, unknown } = restoreSession([...bad, ...lines]);
    expect([unreadable, unknown]).toEqual([bad.length, 0]);
    expect(state).toEqual(restoreSession(lines).state);
    expect(notices([...bad, ...lines])).toEqual([
      expect.stringContaining('6 lines of this session could not be read'),
    ]);
  });

  it('never throws, whichever bytes of it are gone or other', async () => {
    const text = (await journal()).join('\n');
    const place = fc.nat(text.length);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(place, fc.nat(200), fc.string({ maxLength: 3 })), { maxLength: 4 }),
        cuts => {
          const torn = cuts.reduce(
            (each, [at, length, put]) => each.slice(0, at) + put + each.slice(at + length),
            text,
          );
          const { events, unreadable, unknown } = restoreSession(torn.split('\n'));
          expect(events.length + unreadable + unknown).toBe(torn.split('\n').length);
        },
      ),
      { numRuns: dose({ test: 300, prove: 6000 }) },
    );
  });
});
