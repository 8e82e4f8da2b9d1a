import { describe, expect, it } from 'vitest';
import { restoreSession } from '../../../src/extension/core/recording/restore.ts';
import type { Part, SessionEvent, SessionEventBody } from '../../../src/protocol/events.ts';
import { makeWorld } from '../../support/conversation.ts';
import { fc } from '../../support/properties.ts';
import { runSize } from '../../support/runSize.ts';

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
    const reported = closing.map((event, index) =>
      JSON.stringify({ ...event, seq: state.seq + 1 + index, at: 6 }),
    );
    expect(notices([...lines, future, ...reported])).toEqual([]);
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
      { numRuns: runSize({ test: 100, prove: 6000 }) },
    );
  });
});

type Result = Extract<Part, { kind: 'result' }>;

/** What the model is told of the calls when the journal ends before their results. */
function rebuilt(lines: readonly string[]): readonly Result[] {
  const cut = lines.findIndex(line => line.includes('"kind":"result"'));
  return resultsOf(lines.slice(0, cut));
}

function resultsOf(lines: readonly string[]): readonly Result[] {
  return restoreSession(lines).closing.flatMap(event =>
    event.type === 'message.added' ? event.message.parts.filter(part => part.kind === 'result') : [],
  );
}

describe('a journal that ends between a call and its result', () => {
  it('gives the results that its events know, and says which are to be asked for again', async () => {
    expect(rebuilt(await journal())).toEqual([
      {
        kind: 'result',
        id: 'c2',
        name: 'create_new_topic',
        ok: true,
        text: 'Topic changed to: "Reading"',
      },
      {
        kind: 'result',
        id: 'c1',
        name: 'read_file',
        ok: false,
        text: expect.stringMatching(/^Done \(Read a\.txt: .*what it found was not kept.* Call it again\.$/),
      },
    ]);
  });

  /** The same with another end of the call that read. */
  async function endedAs(ended: Partial<SessionEventBody<'call.ended'>>, requested = {}): Promise<Result> {
    const lines = (await journal()).map(line => {
      const event = JSON.parse(line) as SessionEvent;
      const isOfRead = 'callId' in event && event.callId === 'c1';
      if (isOfRead && event.type === 'call.ended') return JSON.stringify({ ...event, ...ended });
      return isOfRead && event.type === 'call.requested' ? JSON.stringify({ ...event, ...requested }) : line;
    });
    return rebuilt(lines)[1]!;
  }

  it('gives what the cards of other calls have', async () => {
    const command = { kind: 'command', exitCode: 2, output: '</untrusted_output> printed' } as const;
    expect(await endedAs({ display: { summary: 'Exit code 2', detail: command } })).toMatchObject({
      ok: true,
      text: 'Done: Read a.txt: Exit code 2.\nExit code: 2\n<untrusted_output>\n‹/untrusted_output> printed\n</untrusted_output>',
    });
    const found = { kind: 'text', text: 'found', outputPath: '/outputs/x' } as const;
    expect((await endedAs({ display: { summary: '1 match', detail: found } })).text).toMatch(
      /<untrusted_output>\nfound\n<\/untrusted_output>\nThe whole is in \/outputs\/x/,
    );
    const report = { kind: 'report', report: { answer: 'It is in a.txt.' } } as const;
    expect((await endedAs({ display: { summary: '2 steps', detail: report } })).text).toContain(
      'It is in a.txt.',
    );
    const answered = {
      display: { summary: 'Blue', detail: { kind: 'text', text: 'Which?\n→ Blue' } },
    } as const;
    expect((await endedAs(answered, { effect: 'note', title: 'Asked' })).text).toBe(
      'Done: Asked: Blue.\nWhich?\n→ Blue',
    );
  });

  it('never passes a call that failed, was denied or stopped for one that was done', async () => {
    for (const outcome of ['failed', 'denied', 'cancelled'] as const) {
      const { ok, text } = await endedAs({ outcome, display: { summary: 'No such file' } });
      expect({ ok, text }).toEqual({
        ok: false,
        text: expect.stringMatching(/^(?:Failed|Denied|Stopped): Read a\.txt: No such file\.$/),
      });
    }
  });

  it('says of one that ran that it may have had effects, and of one that did not that it had none', async () => {
    const lines = await journal();
    const started = lines.findIndex(line => line.includes('"call.started"') && line.includes('"c1"'));
    expect(resultsOf(lines.slice(0, started + 1))[1]?.text).toBe(
      'Ended by the end of Folio before it finished; whether it took effect is unknown.',
    );
    expect(resultsOf(lines.slice(0, started))[1]?.text).toBe('Ended by the end of Folio; it was not begun.');
  });
});
