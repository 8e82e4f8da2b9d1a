import { describe, expect, it } from 'vitest';
import { HeldText } from '../../../src/extension/core/recording/heldText.ts';
import { maskEvent } from '../../../src/extension/core/recording/maskEvent.ts';
import { parseEvent } from '../../../src/extension/core/recording/parseEvent.ts';
import type { SessionEvent, SessionEventBody } from '../../../src/protocol/events.ts';
import { fc } from '../../support/properties.ts';
import { secrets } from '../../support/secrets.ts';

/** Writes what agents and the session say, as the recorder does. */
class Writing {
  readonly held = new HeldText();
  readonly written: SessionEvent[] = [];
  private seq = 0;

  take(owner: string, event: SessionEventBody): void {
    this.seq++;
    const body = owner
      ? ({ type: 'agent.event', callId: owner, agent: 'generalist', event } as const)
      : event;
    this.written.push(...this.held.take({ ...body, seq: this.seq, at: this.seq }));
  }

  say(owner: string, text: string): void {
    this.take(owner, { type: 'text.appended', stepId: `step of ${owner}`, text });
  }

  end(owner: string): void {
    this.take(owner, { type: 'step.ended', stepId: `step of ${owner}`, finish: 'STOP', citations: [] });
  }

  saidBy(owner: string): string {
    return this.written
      .map(event => {
        const from = event.type === 'agent.event' ? event.callId : '';
        const body = event.type === 'agent.event' ? event.event : event;
        return from === owner && body.type === 'text.appended' ? body.text : '';
      })
      .join('');
  }
}

const owners = ['', 'a', 'b'];

describe('the journal of what agents say', () => {
  it('has all of it by its speaker, however their pieces mix, in numbers that rise', () => {
    const piece = fc.record({
      owner: fc.constantFrom(...owners),
      text: fc.constantFrom('Some words ', 'and more\n', 'x', '\n', 'a line\nand half'),
    });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.constantFrom(...owners), (pieces, first) => {
        const writing = new Writing();
        for (const { owner, text } of pieces) writing.say(owner, text);
        writing.end(first);
        for (const owner of owners) if (owner !== first) writing.end(owner);
        for (const owner of owners) {
          const said = pieces.filter(each => each.owner === owner).map(({ text }) => text);
          expect(writing.saidBy(owner)).toBe(said.join(''));
        }
        const numbers = writing.written.map(({ seq }) => seq);
        expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
      }),
    );
  });

  it('never has a secret that is cut between pieces while another one ends', () => {
    for (const { text: secret, hidden } of Object.values(secrets)) {
      for (let cut = 1; cut < secret.length; cut += 3) {
        const writing = new Writing();
        writing.say('a', `The key is ${secret.slice(0, cut)}`);
        writing.say('b', 'Something else');
        writing.end('b');
        writing.say('a', `${secret.slice(cut)} and so on\n`);
        writing.end('a');
        expect(writing.saidBy('a'), `${secret} cut at ${cut}`).not.toContain(hidden);
      }
    }
  });

  it('begins anew with another attempt of the same step', () => {
    const writing = new Writing();
    writing.say('a', 'First attempt');
    writing.say('b', 'b');
    writing.take('a', {
      ...{
        type: 'step.retried',
        stepId: 'step of a',
        reason: 'Busy.',
        attempt: 2,
        maxAttempts: 3,
        delayMs: 0,
      },
    });
    writing.say('a', 'First again');
    writing.end('a');
    expect(writing.saidBy('a')).toBe('First attemptFirst again');
  });

  it('masks arguments and results inside of them', () => {
    const { text: secret } = secrets['a Google API key']!;
    const event: SessionEvent = {
      ...{ type: 'agent.event', callId: 'a', agent: 'generalist', seq: 1, at: 1 },
      event: {
        ...{
          type: 'call.requested',
          callId: 'n',
          stepId: 's',
          tool: 'write_file',
          effect: 'edit',
          title: 'Write',
        },
        args: { content: `KEY=${secret}`, password: 'hunter2' },
      },
    };
    const masked = maskEvent(event);
    expect(JSON.stringify(masked)).not.toContain(secret);
    expect(JSON.stringify(masked)).not.toContain('hunter2');
    expect(masked).toMatchObject({
      callId: 'a',
      agent: 'generalist',
      event: { tool: 'write_file', callId: 'n' },
    });
  });

  it('masks what a report holds, under whatever name it stands there', () => {
    const { text: secret } = secrets['a Google API key']!;
    const report = { path: secret, password: 'hunter2', parts: [{ data: secret }] };
    const masked = maskEvent({
      ...{ type: 'call.ended', callId: 'a', outcome: 'ok', durationMs: 1, seq: 1, at: 1 },
      display: { summary: 'Done', detail: { kind: 'report', report } },
    });
    expect(JSON.stringify(masked)).not.toContain(secret);
    expect(JSON.stringify(masked)).not.toContain('hunter2');
    expect(masked).toMatchObject({ display: { detail: { report: { parts: [{}] } } } });
  });

  it.each([
    ['nothing', undefined],
    ['a word', 'text.appended'],
    ['no type', { stepId: 's' }],
    ['half a step', { type: 'text.appended', stepId: 's' }],
    ['a message of nobody', { type: 'message.added', message: { role: 'system', parts: [] } }],
  ])('leaves out a line whose event is %s', (_name, event) => {
    const line = { type: 'agent.event', callId: 'a', agent: 'generalist', event, seq: 1, at: 1 };
    expect(parseEvent(JSON.stringify(line))).toBeUndefined();
  });
});
