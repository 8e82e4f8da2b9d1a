/* What agents of other makers from npm did as Folio drove them, played by the scripted one. */

import { describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { ExternalWorld } from './support/externalWorld.ts';

const world = eachTest(() => ExternalWorld.make());

describe('what published agents were seen to do', () => {
  it('a file that is not there is missing by the error of the protocol, and looking for it has no row', async () => {
    const ran = await world.run(['make b.txt two']);
    expect(ran.text).toBe('');
    expect(ran.of('call.requested').map(({ title }) => title)).toEqual(['Write b.txt']);
    expect(await world.read('b.txt')).toBe('two\n');
  });

  it('a file that is read again has one row', async () => {
    const ran = await world.run(['read a.txt', 'read a.txt', 'write a.txt two', 'read a.txt']);
    expect(ran.text).toBe('one\n\none\n\nwrote a.txt\ntwo\n');
    const titles = ran.of('call.requested').map(({ title }) => title);
    expect(titles).toEqual(['Read a.txt', 'Write a.txt', 'Read a.txt']);
  });

  it.each([
    ['ask', 'has the client write'],
    ['own', 'writes itself'],
    ['race', 'writes itself and through the client'],
  ])('%s: an edit that the user saw on its card waits for no review where the agent %s', async deed => {
    const talk = world.converse();
    talk.send({ type: 'prompt.send', text: `${deed} a.txt one two` });
    const asked = await talk.asked(1);
    talk.decide(asked, 'once');
    await talk.rests();
    expect(await world.read('a.txt')).toBe('two\n');
    expect(talk.ran.text).toBe('yes');
    const reviews = talk.ran.of('review.changed');
    const waiting = reviews.at(-1)?.review?.hunks.filter(({ status }) => status === 'pending') ?? [];
    expect(waiting).toEqual([]);
    const [first, ...others] = talk.ran.of('call.requested').map(({ title }) => title);
    expect(first).toBe('Edit a.txt');
    expect(others.filter(title => !/outside Folio$/.test(title))).toEqual([]);
    expect(talk.ran.of('call.ended').map(({ outcome }) => outcome)).not.toContain('failed');
  });

  it('what an agent wrote beside an edit that the user saw waits for review', async () => {
    const talk = world.converse();
    talk.send({ type: 'prompt.send', text: 'own a.txt one two\npast a.txt three' });
    talk.decide(await talk.asked(1), 'once');
    await talk.rests();
    expect(talk.ran.of('review.changed').at(-1)?.review?.hunks).toMatchObject([{ status: 'pending' }]);
  });

  it('a command that is reported before it is asked for has one row, and its output no fence', async () => {
    const talk = world.converse();
    talk.send({ type: 'prompt.send', text: 'bash touch made.txt' });
    talk.decide(await talk.asked(1), 'once');
    await talk.rests();
    const ended = talk.ran.of('call.ended').map(({ display }) => display.summary);
    expect(ended).toEqual(['selected']);
  });
});
