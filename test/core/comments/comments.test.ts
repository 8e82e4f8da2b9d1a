/* Comments in a whole session: real files, the real tools, the real journal. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isResolved } from '../../../src/protocol/comments.ts';
import { type DiskWorld, makeDiskWorld, type ScriptedCall } from '../../support/diskWorld.ts';
import { secrets } from '../../support/secrets.ts';

const before = 'one\ntwo\nthree\nfour\nfive\n';
const write = (content: string): ScriptedCall => ['write_file', { file_path: 'a.txt', content }];
const answer = (number: number, text: string): ScriptedCall => ['answer_comment', { number, text }];

async function newWorld() {
  const world = await makeDiskWorld();
  onTestFinished(() => world.dispose());
  await world.turn('Begin', write(before));
  const path = join(world.workspace, 'a.txt');
  const comment = async (line: number, said: string, count = 1) =>
    world.session.comments.write(path, { start: line - 1, count }, await readFile(path, 'utf8'), said);
  /** Sends what is open; the model answers with these calls. */
  const send = async (...calls: readonly ScriptedCall[]) => {
    const composed = await world.session.comments.send();
    if (!composed) throw new Error('No comment is open.');
    world.model.script(...calls);
    await world.session.send(composed.text, [], composed.wording);
    // What the agent wrote is read once more, which a busy machine may do after the turn.
    await world.session.comments.flush();
    return composed;
  };
  return { world, path, comment, send };
}

const threadsOf = ({ session }: DiskWorld) => session.comments.threads;
const statesOf = (world: DiskWorld) => threadsOf(world).map(({ status }) => status);
const linesOf = (world: DiskWorld) => threadsOf(world).map(({ place }) => place.start + 1);

test('several comments go out as one prompt, with their lines as they stand now', async () => {
  const { world, path, comment, send } = await newWorld();
  await comment(2, 'Say it in German.');
  await comment(4, 'Why `four`?', 2);
  // Somebody else writes meanwhile.
  await writeFile(path, `zero\n${before.replace('four', 'vier')}`);
  const { text, wording } = await send(answer(2, 'It follows three.'));
  expect(text).toBe('2 comments\n- a.txt, line 3: Say it in German.\n- a.txt, lines 5 to 6: Why `four`?');
  expect(wording).toContain('Comment 1, a.txt, line 3:\n```\ntwo\n```\nSay it in German.');
  expect(wording).toContain('Comment 2, a.txt, lines 5 to 6:\n```\nvier\nfive\n```\nWhy `four`?');
  expect(statesOf(world)).toEqual(['sent', 'answered']);
  expect(threadsOf(world)[1]?.remarks.map(({ by, text: said }) => [by, said])).toEqual([
    ['person', 'Why `four`?'],
    ['folio', 'It follows three.'],
  ]);
});

test('a change by the agent resolves the comments that it touches, and no others', async () => {
  const { world, comment, send } = await newWorld();
  await comment(2, 'In German.');
  await comment(4, 'Keep this.');
  await send(write(before.replace('two', 'zwei')));
  expect(statesOf(world)).toEqual(['changed', 'sent']);
});

test('neither the user nor another program resolves a comment by a change', async () => {
  const { world, path, comment, send } = await newWorld();
  await comment(2, 'In German.');
  await send();
  const changed = before.replace('two', 'zwei');
  world.session.comments.follow(path, changed, [{ start: 1, count: 1, lines: ['zwei\n'] }]);
  await writeFile(path, changed.replace('zwei', 'deux'));
  await world.session.comments.catchUp(path);
  expect(statesOf(world)).toEqual(['sent']);
});

test('a command of the agent resolves what it changed, also where the editor saw it first', async () => {
  const { world, path, comment, send } = await newWorld();
  await comment(2, 'In German.');
  world.session.onEvent(event => {
    if (event.type === 'call.started') world.session.comments.follow(path, before.replace('two', 'zwei'));
  });
  await send(['run_shell_command', { command: "sed -i 's/two/zwei/' a.txt; echo done" }]);
  expect(statesOf(world)).toEqual(['changed']);
});

test('that its place was recorded between the change and its attribution does not hide who changed it', async () => {
  const { world, path, comment, send } = await newWorld();
  await comment(2, 'In German.');
  world.session.onEvent(event => {
    if (event.type !== 'call.started') return;
    world.session.comments.follow(path, `zero\n${before.replace('two', 'zwei')}`);
    void world.session.comments.flush();
  });
  await send(['run_shell_command', { command: "sed -i -e '1i zero' -e 's/two/zwei/' a.txt; echo done" }]);
  expect(statesOf(world)).toEqual(['changed']);
});

test('the model is told of its tool only while it owes an answer', async () => {
  const { world, comment, send } = await newWorld();
  const declares = () => world.session.tools.some(({ name }) => name === 'answer_comment');
  await comment(2, 'Why?');
  expect(declares()).toBe(false);
  await send();
  expect(declares()).toBe(true);
  await world.turn('Well?', answer(1, 'Because.'));
  expect(declares()).toBe(false);
});

test('a further remark opens a comment again, and goes out with what was said before', async () => {
  const { world, comment, send } = await newWorld();
  await comment(2, 'Why?');
  await send(answer(1, 'Because.'));
  world.session.comments.reply(threadsOf(world)[0]!.id, 'Because of what?');
  expect(statesOf(world)).toEqual(['open']);
  const { wording, text } = await send(answer(1, 'Of three.'));
  expect(wording).toContain('The user: Why?\nYou: Because.\nThe user: Because of what?');
  expect(text).toContain('Because of what?');
  expect(statesOf(world)).toEqual(['answered']);
});

test('remarks are edited and deleted, threads resolved and opened by hand', async () => {
  const { world, comment } = await newWorld();
  const { comments } = world.session;
  await comment(2, 'Wy?');
  const [{ id, remarks }] = threadsOf(world) as [ReturnType<typeof threadsOf>[number]];
  comments.edit(id, remarks[0]!.id, 'Why?');
  expect(threadsOf(world)[0]).toMatchObject({ status: 'open', remarks: [{ text: 'Why?' }] });
  comments.setResolved(id, 'resolved');
  expect(threadsOf(world).every(isResolved)).toBe(true);
  comments.setResolved(id, 'open');
  expect(statesOf(world)).toEqual(['open']);
  comments.edit(id, remarks[0]!.id, undefined);
  expect(threadsOf(world)).toEqual([]);
  await comment(3, 'Another');
  comments.remove(threadsOf(world)[0]!.id);
  expect(await comments.send()).toBeUndefined();
});

test('a reload finds every comment again, though the file has changed meanwhile', async () => {
  const { world, path, comment } = await newWorld();
  await comment(4, secrets['a Google API key']!.text);
  world.session.comments.follow(path, `zero\n${before}`, [{ start: 0, count: 0, lines: ['zero\n'] }]);
  await world.reopen();
  expect(linesOf(world)).toEqual([5]);
  expect(threadsOf(world)[0]?.remarks[0]?.text).not.toContain(secrets['a Google API key']!.hidden);
  await writeFile(path, `a\nb\n${before}`);
  await world.session.comments.catchUp(path);
  expect(linesOf(world)).toEqual([6]);
});

test('a kill loses no comment', async () => {
  const { world, comment } = await newWorld();
  await comment(4, 'Why?');
  const { seq } = world.session.state;
  await world.cutJournal(lines => lines.filter(each => JSON.parse(each).seq <= seq));
  expect(threadsOf(world)).toMatchObject([{ number: 1, status: 'open', remarks: [{ text: 'Why?' }] }]);
});

test('a rewind keeps open comments, and opens those again that the agent no longer knows', async () => {
  const { world, comment, send } = await newWorld();
  await comment(2, 'Sent');
  await send();
  await comment(4, 'Open');
  expect(statesOf(world)).toEqual(['sent', 'open']);
  const turn = world.events.findLast(event => event.type === 'turn.started');
  if (turn?.type !== 'turn.started') throw new Error('No turn began.');
  await world.session.rewind({ kind: 'turn', turnId: turn.turnId }, 'both');
  expect(statesOf(world)).toEqual(['open', 'open']);
  const { wording } = await send();
  expect(wording).toContain('Sent');
});

test('a rewind that is undone leaves a comment sent, and on its lines', async () => {
  const { world, comment, send } = await newWorld();
  await world.turn('Longer', write(`a\nb\nc\nd\n${before}`));
  const turn = world.events.findLast(event => event.type === 'turn.started');
  if (turn?.type !== 'turn.started') throw new Error('No turn began.');
  await comment(8, 'Sent');
  await comment(9, 'Closed');
  await send();
  const [, closed] = threadsOf(world);
  await world.session.rewind({ kind: 'turn', turnId: turn.turnId }, 'both');
  await world.session.comments.flush();
  expect(statesOf(world)).toEqual(['open', 'open']);
  expect(linesOf(world)).toEqual([4, 5]);
  world.session.comments.setResolved(closed!.id, 'resolved');
  await world.session.undoRewind();
  await world.session.comments.flush();
  expect(statesOf(world)).toEqual(['sent', 'closed']);
  expect(linesOf(world)).toEqual([8, 9]);
  expect(await world.session.comments.send()).toBeUndefined();
  await world.reopen();
  expect(statesOf(world)).toEqual(['sent', 'closed']);
});

test('comments that wait in the queue are open again when their prompt is removed', async () => {
  const { world, comment } = await newWorld();
  await comment(2, 'Why?');
  const composed = await world.session.comments.send();
  world.model.script(['run_shell_command', { command: 'sleep 0.2' }]);
  const turn = world.session.send('Work');
  await world.session.submitPrompt(composed!.text, [], 'next', composed!.wording);
  world.session.queue.remove(world.session.state.queue[0]!.id);
  expect(statesOf(world)).toEqual(['open']);
  await turn;
});
