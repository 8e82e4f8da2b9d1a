import { describe, expect, it, onTestFinished } from 'vitest';
import { historyFaults } from '../../support/checkHistory.ts';
import { makeWorld, type World, type WorldOptions } from '../../support/conversation.ts';
import type { ScriptedAnswer } from '../../support/scriptedModel.ts';

function world(answers: readonly ScriptedAnswer[], options: Partial<WorldOptions> = {}): World {
  const made = makeWorld({
    mode: 'yolo',
    files: { 'a.txt': 'a' },
    loopDetection: true,
    answers,
    ...options,
  });
  onTestFinished(() => made.session.dispose());
  return made;
}

const done: ScriptedAnswer = { parts: [{ kind: 'text', text: 'Done.' }] };

function reads(count: number): readonly ScriptedAnswer[] {
  return Array.from({ length: count }, (_, at) => ({
    parts: [{ kind: 'call', id: `c${at}`, name: 'read_file', args: { file_path: 'a.txt' } }],
  }));
}

function requestTexts({ model }: World): readonly string[] {
  for (const { messages } of model.requests) expect(historyFaults(messages)).toEqual([]);
  return model.requests.map(({ messages }) => JSON.stringify(messages.at(-1)));
}

function notices({ events }: World): readonly string[] {
  return events.flatMap(event => (event.type === 'notice.shown' ? [event.text] : []));
}

describe('an agent that makes the same call again and again', () => {
  it('is told so with the results, and continues when it takes another way', async () => {
    const circling = world([...reads(5), done]);
    expect(await circling.session.send('go')).toEqual({ kind: 'rested' });
    const reported = requestTexts(circling).findIndex(text => text.includes('[Loop watch]'));
    expect(reported).toBe(5);
    expect(requestTexts(circling)[reported]).toContain('"kind":"result"');
    expect(notices(circling)).toEqual([expect.stringContaining('The same call was made 5 times')]);
  });

  it('rests when it does not listen, and continues unwatched when the user says so', async () => {
    const circling = world([...reads(40), done]);
    const end = await circling.session.send('go');
    expect(end).toMatchObject({ kind: 'loop', loop: { kind: 'calls' } });
    expect(circling.model.requests.length).toBeLessThan(12);
    expect(await circling.session.retry()).toEqual({ kind: 'rested' });
    requestTexts(circling);
    circling.model.answers.push(...reads(20), done);
    expect(await circling.session.send('again')).toEqual({ kind: 'rested' });
  });

  it('is unwatched after a reload too, when the user continued after an alarm', async () => {
    const circling = world(reads(40));
    await circling.session.send('go');
    circling.model.answers.splice(0, 99, done);
    await circling.session.retry();
    await circling.session.dispose();
    const again = await circling.agent.openSession(circling.session.id);
    onTestFinished(() => again.dispose());
    circling.model.answers.push(...reads(20), done);
    expect(await again.send('once more')).toEqual({ kind: 'rested' });
  });

  it('is left alone when the setting says so', async () => {
    const circling = world([...reads(25), done], { loopDetection: false });
    expect(await circling.session.send('go')).toEqual({ kind: 'rested' });
    expect(notices(circling)).toEqual([]);
  });
});

describe('an answer that repeats itself', () => {
  const opening = 'Let me look at the invoice module first.\n';
  const endless: ScriptedAnswer = {
    parts: [
      { kind: 'text', text: opening },
      ...Array.from({ length: 400 }, () => ({
        kind: 'text' as const,
        text: 'I will now check the total of the invoice once more to be sure. ',
      })),
      { kind: 'text', text: 'Never read.' },
    ],
  };

  it('is cut off, stays out of the history, and the model is told', async () => {
    const repeating = world([endless, done]);
    expect(await repeating.session.send('go')).toEqual({ kind: 'rested' });
    const { messages } = repeating.model.requests[1]!;
    const kept = JSON.stringify(messages[1]);
    expect(kept).toContain('Let me look');
    expect(kept).toContain('was cut off');
    expect(kept.split('once more to be sure').length).toBeLessThan(12);
    expect(JSON.stringify(messages)).not.toContain('Never read.');
    expect(requestTexts(repeating)[1]).toContain('[Loop watch]');
  });

  it('ends the turn when it comes again', async () => {
    const repeating = world([endless, endless, done]);
    expect(await repeating.session.send('go')).toMatchObject({ kind: 'loop', loop: { kind: 'text' } });
    expect(await repeating.session.retry()).toEqual({ kind: 'rested' });
    requestTexts(repeating);
  });
});

describe('after thirty steps', () => {
  /** Steps that all differ, and classifications between them where one is asked for. */
  function long(judgement: string): ScriptedAnswer[] {
    const steps = Array.from({ length: 30 }, (_, at): ScriptedAnswer => {
      const args = { file_path: `${at}.txt` };
      return { parts: [{ kind: 'call', id: `s${at}`, name: 'read_file', args }] };
    });
    return [...steps, { parts: [{ kind: 'text', text: judgement }] }];
  }

  it('a model is asked, and what it takes is counted for the session', async () => {
    const classified = world([...long('{"unproductive":0.1,"why":"It advances."}'), done]);
    expect(await classified.session.send('Find the bug')).toEqual({ kind: 'rested' });
    const asked = classified.events.filter(event => event.type === 'side.asked');
    expect(asked).toMatchObject([{ purpose: 'loop', usage: { output: 10 } }]);
    expect(classified.session.state.usage.output).toBe(320);
    const question = classified.model.requests[30]!;
    expect(question.tools).toEqual([]);
    expect(JSON.stringify(question.messages)).toContain('Find the bug');
  });

  it('two opinions that it gets nowhere bring a word to the model', async () => {
    const lost = '{"unproductive":0.95,"why":"It reads files that are not there"}';
    const classified = world([...long(lost), { parts: [{ kind: 'text', text: lost }] }, done]);
    expect(await classified.session.send('go')).toEqual({ kind: 'rested' });
    expect(requestTexts(classified).at(-1)).toContain('It reads files that are not there');
  });

  it('the first opinion is a light model’s, the second the working one’s, who is asked for the contrary', async () => {
    const lost = '{"unproductive":0.95,"why":"It reads files that are not there"}';
    const answers = [...long(lost), { parts: [{ kind: 'text', text: lost }] } as const, done];
    const classified = world(answers, { model: 'strong', models: { lightOf: () => 'lite' } });
    expect(await classified.session.send('go')).toEqual({ kind: 'rested' });
    const [first, second] = classified.model.requests.slice(30, 32);
    expect([first!.model, second!.model]).toEqual(['lite', 'strong']);
    expect(first!.system).toContain('You watch over a coding agent');
    expect(second!.system).toContain('You look for what speaks against them');
  });

  it('a classifier that cannot be reached changes nothing', async () => {
    const { ModelError } = await import('../../../src/extension/core/model.ts');
    const error = new ModelError('forbidden', () => 'No.', { retryable: false });
    const classified = world([...long('').slice(0, 30), { error }, done]);
    expect(await classified.session.send('go')).toEqual({ kind: 'rested' });
  });
});

describe('the question who speaks next', () => {
  const announces: ScriptedAnswer = { parts: [{ kind: 'text', text: 'Now I will run the tests.' }] };
  const model: ScriptedAnswer = { parts: [{ kind: 'text', text: '{"next": "model", "why": "announced"}' }] };
  const user: ScriptedAnswer = { parts: [{ kind: 'text', text: '```json\n{"next":"user"}\n```' }] };

  it('is not asked unless the setting says so', async () => {
    const quiet = world([announces]);
    expect(await quiet.session.send('go')).toEqual({ kind: 'rested' });
    expect(quiet.model.requests).toHaveLength(1);
  });

  it('lets the model continue, and rests when it is the user', async () => {
    const asked = world([announces, model, ...reads(1), done, user], { nextSpeakerCheck: true });
    expect(await asked.session.send('go')).toEqual({ kind: 'rested' });
    expect(asked.model.remaining).toBe(0);
    expect(requestTexts(asked)[2]).toContain('Continue.');
  });

  it('lets it continue at most twice in a row', async () => {
    const endless = [announces, model, announces, model, announces, model, announces];
    const asked = world(endless, { nextSpeakerCheck: true });
    expect(await asked.session.send('go')).toEqual({ kind: 'rested' });
    expect(asked.model.requests).toHaveLength(5);
  });

  it('rests when there is no clear answer', async () => {
    const unclear = world([announces, done], { nextSpeakerCheck: true });
    expect(await unclear.session.send('go')).toEqual({ kind: 'rested' });
    expect(unclear.model.requests).toHaveLength(2);
  });
});
