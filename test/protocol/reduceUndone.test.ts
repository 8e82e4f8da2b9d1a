import { describe, expect, it } from 'vitest';
import type { SessionEventBody } from '../../src/protocol/events.ts';
import { undoneShare } from '../../src/protocol/fold/fileCounts.ts';
import { iterate } from '../../src/protocol/pagedList.ts';
import { type CallItem, newestChapter, type SessionState } from '../../src/protocol/state.ts';
import type { RestoredFile } from '../../src/protocol/values.ts';
import type { EmittedBody } from '../support/emitted.ts';
import { notify, prompt, rested, started } from '../support/story.ts';

const file = (path: string) => ({ path, added: 2, removed: 1 });

function run(callId: string, ...paths: readonly string[]): readonly SessionEventBody[] {
  const display = { summary: 'Done', touched: paths.map(file) };
  return [
    { type: 'call.requested', callId, stepId: 's', tool: 'any', effect: 'run', title: callId, args: {} },
    { type: 'call.started', callId },
    { type: 'call.ended', callId, outcome: 'ok', display, durationMs: 1 },
  ];
}

const turns: readonly EmittedBody[] = [
  started,
  prompt('Begin', 't1'),
  ...run('first', 'a.ts'),
  rested('t1'),
  prompt('Go on', 't2'),
  ...run('second', 'a.ts', 'b.ts'),
  rested('t2'),
];

function undo(more: Partial<SessionEventBody<'session.rewound'>> = {}): SessionEventBody {
  const kept = { filesFrom: 1, keptMessages: 9, todos: [], reviews: [], files: [] };
  const to = { kind: 'turn', turnId: 't2' } as const;
  return { type: 'session.rewound', rewindId: 'r', to, scope: 'files', ...kept, ...more };
}

const restored = (path: string, result: RestoredFile['result']): RestoredFile => ({ ...file(path), result });

function callOf(state: SessionState, id: string): CallItem {
  const item = [...iterate(newestChapter(state).items)].find(each => each.type === 'call' && each.id === id);
  if (item?.type !== 'call') throw new Error(`There is no call ${id}.`);
  return item;
}

describe('changes that a rewind of files undid', () => {
  it('are marked behind the place, and leave the sums', () => {
    const state = notify(...turns, undo());
    expect(undoneShare(callOf(state, 'first'))).toBe('none');
    expect(undoneShare(callOf(state, 'second'))).toBe('all');
    expect(newestChapter(state)).toMatchObject({ files: [file('a.ts')], undone: 2, calls: 2 });
  });

  it('stay so with the next prompt, and are as before when they are redone', () => {
    const next = notify(...turns, undo(), prompt('More', 't3'), ...run('third', 'c.ts'));
    expect(newestChapter(next)).toMatchObject({ files: [file('a.ts'), file('c.ts')], undone: 2 });
    const redone = notify(...turns, undo(), { type: 'rewind.undone', rewindId: 'r', files: [] });
    expect(redone.chapters).toEqual(notify(...turns).chapters);
  });

  it.each(['conflict', 'lost'] as const)('are not those of files that were left: %s', result => {
    const state = notify(...turns, undo({ files: [restored('a.ts', result), restored('b.ts', 'restored')] }));
    expect(undoneShare(callOf(state, 'second'))).toBe('part');
    expect(newestChapter(state)).toMatchObject({
      files: [{ path: 'a.ts', added: 4, removed: 2 }],
      undone: 1,
    });
  });

  it('are those of one call where only that was undone', () => {
    const state = notify(...turns, undo({ to: { kind: 'call', callId: 'first' } }));
    expect(undoneShare(callOf(state, 'first'))).toBe('all');
    expect(undoneShare(callOf(state, 'second'))).toBe('none');
  });

  it('are no longer undone when a command that runs on writes again', () => {
    const touched = [{ ...file('a.ts'), added: 5 }, file('b.ts')];
    const state = notify(...turns, undo(), { type: 'call.changed', callId: 'second', touched });
    expect(undoneShare(callOf(state, 'second'))).toBe('none');
  });

  it('are those of subagents, too', () => {
    const inAgent = (event: SessionEventBody): EmittedBody => ({ callId: 'a', agent: 'generalist', event });
    const [sent, begun, ended] = run('a');
    const state = notify(
      started,
      prompt('Go', 't1'),
      ...[sent!, begun!],
      inAgent({ ...started, sessionId: 'a' } as SessionEventBody),
      inAgent(prompt('Look', 'ta') as SessionEventBody),
      ...run('n', 'a.ts').map(inAgent),
      ended!,
      rested('t1'),
      undo({ to: { kind: 'turn', turnId: 't1' } }),
    );
    expect(callOf(callOf(state, 'a').agent!.session, 'n').undone).toEqual(['a.ts']);
    expect(newestChapter(state)).toMatchObject({ files: [], undone: 1 });
  });
});
