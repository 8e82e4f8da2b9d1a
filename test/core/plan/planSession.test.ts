/* Plans in a whole session: on real files, over a kill, and through compressions on the wire. */

import { readFile, stat, writeFile } from 'node:fs/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Decision } from '../../../src/extension/core/calls/approvals.ts';
import { estimateText } from '../../../src/extension/core/context/tokens.ts';
import type { Session } from '../../../src/extension/core/session/session.ts';
import { recallChapterTool } from '../../../src/extension/tools/recallChapter.ts';
import { historyFaults } from '../../support/checkHistory.ts';
import { personalTools } from '../../support/conversation.ts';
import { type DiskWorld, makeDiskWorld } from '../../support/diskWorld.ts';
import { call, text } from '../../support/geminiAnswers.ts';
import { toolNames } from '../../support/geminiServer.ts';
import {
  counted,
  long,
  makeWireWorld,
  snapshotOf,
  summary,
  type WireWorld,
} from '../../support/wireWorld.ts';

async function diskWorld(): Promise<DiskWorld> {
  const world = await makeDiskWorld(undefined, { mode: 'plan', interactive: true });
  onTestFinished(() => world.dispose());
  return world;
}

/** What the user does once they are asked; `undefined` leaves the question open. */
function whenAsked(session: Session, act: (path: string) => Promise<Decision | undefined>): void {
  session.onEvent(event => {
    if (event.type !== 'call.asked') return;
    const { subject } = event.ask;
    setImmediate(async () => {
      const decision = await act(subject.kind === 'plan' ? subject.path : '');
      if (decision) session.decide(event.callId, decision);
    });
  });
}

const plan = (title: string, body = 'Write beta into a.txt.') =>
  ['exit_plan_mode', { title, plan: body }] as const;

const results = (world: DiskWorld) =>
  world.events.flatMap(event =>
    event.type === 'message.added'
      ? event.message.parts.flatMap(part => (part.kind === 'result' ? [part.text] : []))
      : [],
  );

describe('a plan on the disk', () => {
  test('is what the user left in the file, and the model can read it there', async () => {
    const world = await diskWorld();
    let path = '';
    whenAsked(world.session, async asked => {
      path ||= asked;
      await writeFile(path, (await readFile(path, 'utf8')).replace('beta', 'gamma'));
      return { kind: 'plan', mode: 'autoEdit' };
    });
    await world.turn('Plan it', plan('Rename'));
    expect(world.session.state).toMatchObject({
      mode: 'autoEdit',
      plan: { path, title: 'Rename', approved: true },
    });
    expect(results(world).at(-1)).toContain('Write gamma into a.txt.');

    await world.turn(
      'Continue',
      ['read_file', { file_path: path }],
      ['write_file', { file_path: 'a.txt', content: 'gamma\n' }],
    );
    expect(results(world).some(result => result.includes('Write gamma'))).toBe(true);
    expect(await world.readFiles()).toEqual({ 'a.txt': 'gamma\n' });
    // It is the session's and no change of the project.
    expect(world.session.state.reviews.map(review => review.path)).toEqual([
      expect.stringContaining('a.txt'),
    ]);
  });

  test('that waited when the host was killed is closed, and its file stays', async () => {
    const world = await diskWorld();
    let path = '';
    const asked = new Promise<void>(resolve => {
      whenAsked(world.session, async where => {
        path = where;
        resolve();
        return undefined;
      });
    });
    const turn = world.turn('Plan it', plan('Rename')).catch(() => undefined);
    await asked;
    // The journal as it is on the disk while the plan waits.
    const lines: string[] = [];
    await world.cutJournal(all => {
      const until = all.findIndex(line => line.includes('"call.asked"'));
      lines.push(...all.slice(0, until + 1));
      return lines;
    });
    await turn;
    expect(lines.at(-1)).toContain('"call.asked"');
    const { state } = world.session;
    expect(state).toMatchObject({ mode: 'plan', activity: { status: 'resting' }, plan: { path } });
    expect(state.plan).not.toHaveProperty('approved');
    expect((await stat(path)).isFile()).toBe(true);
    expect(results(world).at(-1)).toContain('it was not begun');

    // The answer that the killed turn had no use for.
    world.model.next();
    whenAsked(world.session, async () => ({ kind: 'plan', mode: 'default' }));
    await world.turn('Present it again', plan('Rename'));
    expect(world.session.state.plan?.path).toMatch(/2-rename\.md$/);
    expect(world.session.state.mode).toBe('default');
    expect(historyFaults(world.model.requests.at(-1)!.messages)).toEqual([]);
  });

  test('stopping while it waits leaves plan mode on', async () => {
    const world = await diskWorld();
    whenAsked(world.session, async () => {
      void world.session.stop();
      return undefined;
    });
    await expect(world.turn('Plan it', plan('Rename'))).rejects.toThrow(/stopped/);
    expect(world.session.state).toMatchObject({ mode: 'plan', plan: { title: 'Rename' } });
  });
});

describe('an approved plan and compressions', () => {
  const approved = 'Write gamma, then run the tests.';

  async function plannedWorld(): Promise<WireWorld> {
    const world = await makeWireWorld({
      mode: 'plan',
      files: { 'a.txt': long(600), 'b.txt': long(600, 'other') },
      surfaceTools: surface => [
        recallChapterTool({ ...surface, estimateTokens: estimateText }),
        ...personalTools(surface),
      ],
    });
    onTestFinished(() => world.dispose());
    whenAsked(world.session, async path => {
      const { text: written, format } = await world.disk.readText(path);
      await world.disk.writeText(path, written.replace('Write beta.', approved), format);
      return { kind: 'plan', mode: 'autoEdit' };
    });
    const read = (file_path: string) => call('read_file', { file_path });
    world.server.script(
      [call('exit_plan_mode', { title: 'Rename', plan: 'Write beta.' })],
      [read('a.txt')],
      [read('b.txt')],
      counted(2_000, text('Read both.')),
      counted(2_050, text('Nothing more.')),
    );
    await world.session.send('Plan it');
    await world.session.send('And?');
    return world;
  }

  async function compress(world: WireWorld, knowledge: string): Promise<void> {
    world.server.script(...summary(knowledge), counted(2_100, text('Applied.')));
    await world.session.compressions.propose();
    world.session.compressions.apply(world.session.state.compression?.id ?? '');
    await world.session.send('Continue');
  }

  const firstText = (world: WireWorld) => world.contents().at(-1)?.[0]?.parts?.[0]?.text ?? '';

  test('the tools on offer change with the mode', async () => {
    const world = await plannedWorld();
    expect(toolNames(world.server.requests[0]!)).toContain('exit_plan_mode');
    expect(toolNames(world.server.requests[0]!)).not.toContain('enter_plan_mode');
    expect(toolNames(world.server.requests[1]!)).toContain('enter_plan_mode');
    expect(toolNames(world.server.requests[1]!)).not.toContain('exit_plan_mode');
    for (const { fault } of world.server.requests) expect(fault).toBeUndefined();
  });

  test('it stays word for word, also when the compression is edited or the session resumed', async () => {
    const world = await plannedWorld();
    await compress(world, 'The port is 4711.');
    expect(firstText(world)).toContain(snapshotOf('The port is 4711.'));
    expect(firstText(world)).toContain(`<approved_plan>\n# Rename\n\n${approved}\n</approved_plan>`);

    const { id } = world.session.state.compressions.at(-1)!;
    world.session.compressions.edit(id, snapshotOf('The port is 4712.'));
    world.server.script([text('Edited.')]);
    await world.session.send('And now?');
    expect(firstText(world)).toContain('4712');
    expect(firstText(world)).toContain(approved);

    await world.session.dispose();
    const again = await world.agent.openSession(world.session.id);
    world.server.script([text('Resumed.')]);
    await again.send('Once more');
    expect(firstText(world)).toContain(approved);
    await again.dispose();
  });

  test('a rewind to after it keeps it, and undoing one brings it back', async () => {
    const world = await plannedWorld();
    const turns = world.events.flatMap(event => (event.type === 'turn.started' ? [event.turnId] : []));
    const { plan } = world.session.state;
    expect(plan).toMatchObject({ title: 'Rename', approved: true });
    await world.session.rewind({ kind: 'turn', turnId: turns[1]! }, 'conversation');
    expect(world.session.state.plan).toEqual(plan);
    await world.session.rewind({ kind: 'turn', turnId: turns[0]! }, 'conversation');
    await world.session.undoRewind();
    expect(world.session.state.plan).toEqual(plan);
  });

  test('going back to before it takes it away', async () => {
    const world = await plannedWorld();
    const [turn] = world.events.flatMap(event => (event.type === 'turn.started' ? [event.turnId] : []));
    await world.session.rewind({ kind: 'turn', turnId: turn! }, 'conversation');
    expect(world.session.state.plan).toBeUndefined();
    world.server.script([text('Nothing is planned.')]);
    await world.session.send('What is planned?');
    expect(JSON.stringify(world.contents().at(-1))).not.toContain(approved);
  });
});

describe('to-dos', () => {
  const list = (...todos: readonly (readonly [string, string])[]) =>
    ['write_todos', { todos: todos.map(([description, status]) => ({ description, status })) }] as const;
  const shown = ({ session }: DiskWorld) => session.state.todos.map(({ description }) => description);

  test('a list with everything done goes with the next prompt, an open one stays', async () => {
    const world = await diskWorld();
    await world.turn('One', list(['a', 'completed'], ['b', 'in_progress']));
    await world.turn('Two', list(['a', 'completed'], ['b', 'cancelled']));
    expect(shown(world)).toEqual(['a', 'b']);
    await world.turn('Three');
    expect(shown(world)).toEqual([]);
  });

  test('they survive a resume and a rewind', async () => {
    const world = await diskWorld();
    await world.turn('One', list(['a', 'completed']));
    await world.turn('Two', list(['b', 'pending']));
    await world.reopen();
    expect(shown(world)).toEqual(['b']);
    const turns = world.events.flatMap(event => (event.type === 'turn.started' ? [event.turnId] : []));
    await world.session.rewind({ kind: 'turn', turnId: turns[1]! }, 'conversation');
    expect(shown(world)).toEqual(['a']);
    await world.session.undoRewind();
    expect(shown(world)).toEqual(['b']);
  });
});
