import { describe, expect, test } from 'vitest';
import { isSameTopic } from '../../../src/extension/core/session/sessionForTools.ts';
import { makeWorld } from '../../support/conversation.ts';
import type { ScriptedAnswer } from '../../support/scriptedModel.ts';

let ids = 0;

function topic(title: string, summary?: string): ScriptedAnswer {
  const args = summary === undefined ? { title } : { title, summary };
  return { parts: [{ kind: 'call', id: `topic${++ids}`, name: 'create_new_topic', args }] };
}

const done: ScriptedAnswer = { parts: [{ kind: 'text', text: 'Done.' }] };

function read(): ScriptedAnswer {
  return { parts: [{ kind: 'call', id: `read${++ids}`, name: 'read_file', args: { file_path: 'a' } }] };
}

const titlesOf = ({ session }: ReturnType<typeof makeWorld>) =>
  session.state.chapters.map(({ title }) => title);

describe('topics of a session', () => {
  test('the active title again, also written otherwise, opens no chapter and keeps the summary out', async () => {
    const again = [
      topic('Fixing the race'),
      topic('fixing  the Race.', 'Too early.'),
      topic('"Fixing the race"'),
    ];
    const world = makeWorld({ answers: [topic('Fixing the race'), ...again, done] });
    await world.session.send('go');
    expect(titlesOf(world)).toEqual(['', 'Fixing the race']);
    expect(world.session.state.chapters.map(({ summary }) => summary)).toEqual([undefined, undefined]);
  });

  test('the title of an earlier chapter opens a new one: a session only moves forward', async () => {
    const world = makeWorld({ answers: [topic('Reading'), topic('Fixing'), topic('Reading'), done] });
    await world.session.send('go');
    expect(titlesOf(world)).toEqual(['', 'Reading', 'Fixing', 'Reading']);
    expect(new Set(world.session.state.chapters.map(({ id }) => id)).size).toBe(4);
  });

  test('the running one stands at the end of every request, and in none of the messages that are kept', async () => {
    const steps = Array.from({ length: 30 }, () => read());
    const world = makeWorld({ answers: [topic('Reading'), ...steps, done], files: { a: 'alpha' } });
    await world.session.send('go');
    const ends = world.model.requests.map(({ footer }) => footer);
    expect(ends[0]).toBeUndefined();
    expect(ends.slice(1)).toEqual(
      Array.from({ length: 31 }, () => expect.stringMatching(/^\[Active Topic: Reading\] /)),
    );
    expect(JSON.stringify(world.events)).not.toContain('[Active Topic');
    // A session that is opened again has it, too.
    await world.session.dispose();
    const reopened = await world.agent.openSession(world.session.id);
    world.model.answers.push(done);
    await reopened.send('more');
    expect(world.model.requests.at(-1)!.footer).toMatch(/^\[Active Topic: Reading\] /);
  });

  test('the model reads which title the user gave the chapter', async () => {
    const world = makeWorld({ answers: [topic('Reading'), done, topic('Better words'), done] });
    await world.session.send('go');
    world.session.renameChapter(world.session.state.chapters[1]!.id, 'Better words');
    await world.session.send('more');
    expect(world.model.requests.at(-1)!.footer).toMatch(/^\[Active Topic: Better words\] /);
    // The model reads the new title, so using it is no new chapter.
    expect(titlesOf(world)).toEqual(['', 'Better words']);
  });

  test('a title that a user gave is there after reopening', async () => {
    const world = makeWorld({ answers: [topic('Reading'), done] });
    await world.session.send('go');
    world.session.renameChapter(world.session.state.chapters[1]!.id, 'Better words');
    await world.session.dispose();
    const reopened = await world.agent.openSession(world.session.id);
    expect(reopened.state.chapters.map(({ title }) => title)).toEqual(['', 'Better words']);
  });

  test('the opening cannot be renamed, nor anything to nothing', async () => {
    const world = makeWorld({ answers: [topic('Reading'), done] });
    await world.session.send('go');
    const [opening, reading] = world.session.state.chapters;
    world.session.renameChapter(opening!.id, 'Title');
    world.session.renameChapter(reading!.id, '');
    expect(titlesOf(world)).toEqual(['', 'Reading']);
  });
});

test('an interruption adds no working time, however long it was', async () => {
  const world = makeWorld({ answers: [topic('Reading'), { hang: true, partial: 'Well' }] });
  world.session.onEvent(event => {
    if (event.type === 'text.appended')
      setImmediate(() => void world.clock.sleep(3_600_000).then(() => world.session.stop()));
  });
  await world.session.send('go');
  const lines = world.store.journals.get(world.session.id)!;
  const kept = lines.findIndex(line => line.includes('"text.appended"')) + 1;
  const next = makeWorld({ answers: [done] });
  next.store.journals.set('x', lines.slice(0, kept));
  await next.clock.sleep(86_400_000);
  const resumed = await next.agent.openSession('x');
  // The answer that began the chapter took 250 ms.
  expect(world.session.state.chapters[1]!.activeMs).toBe(3_600_250);
  expect(resumed.state.chapters[1]!.activeMs).toBe(250);
});

test('titles are the same whatever their case, spaces and closing marks', () => {
  expect(isSameTopic('Fixing the race', ' FIXING the\n race… ')).toBe(true);
  expect(isSameTopic('Fixing the race', 'Fixing the races')).toBe(false);
  expect(isSameTopic('C#', 'C')).toBe(false);
  expect(isSameTopic(undefined, '')).toBe(false);
});
