import { describe, expect, test } from 'vitest';
import { maskEvent } from '../../../src/extension/core/recording/maskEvent.ts';
import type { SessionEvent, SessionEventBody } from '../../../src/protocol/events.ts';
import { secrets } from '../../support/secrets.ts';

const numbered = (body: SessionEventBody): SessionEvent => ({ ...body, seq: 7, at: 1_700_000_000_000 });
const hash = 'a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90';

/** Events in which a user, a model, a file or a command may have put a secret. */
const places: Readonly<Record<string, (text: string) => SessionEventBody>> = {
  'a prompt': text => ({ type: 'turn.started', turnId: 't1', text, attachments: [] }),
  'a selection': text => ({
    type: 'turn.started',
    turnId: 't1',
    text: '',
    attachments: [{ kind: 'selection', path: 'a.ts', startLine: 1, endLine: 1, text }],
  }),
  'a waiting prompt': text => ({
    type: 'prompt.queued',
    prompt: { id: 'q1', text, attachments: [], when: 'next', wording: text },
  }),
  'the title of a chapter': text => ({ type: 'chapter.started', chapterId: 'c1', title: text }),
  'the title of a call': text => requested({ title: text, args: {} }),
  'an argument': text => requested({ title: '', args: { content: text } }),
  'a list in an argument': text =>
    requested({ title: '', args: { files: [{ path: text, before: [text] }] } }),
  'a command that is asked about': text => ({
    type: 'call.asked',
    callId: 'c1',
    ask: {
      reason: text,
      subject: { kind: 'command', command: text, cwd: '/w', background: false },
      always: [{ id: 'a', scope: 'session', label: text }],
    },
  }),
  'a line of a diff': text => ({
    type: 'call.asked',
    callId: 'c1',
    ask: {
      reason: '',
      always: [],
      subject: {
        kind: 'edit',
        diff: {
          path: 'a.ts',
          change: 'modified',
          added: 1,
          removed: 0,
          hiddenLines: 0,
          hunks: [{ oldStart: 1, newStart: 1, lines: [{ kind: 'added', text }] }],
        },
      },
    },
  }),
  'the output of a command': text => ({
    type: 'call.ended',
    callId: 'c1',
    outcome: 'ok',
    durationMs: 1,
    display: { summary: text, detail: { kind: 'command', exitCode: 0, output: text } },
  }),
  'a result in the history': text => ({
    type: 'message.added',
    message: { role: 'user', parts: [{ kind: 'result', id: 'c1', name: 'x', ok: true, text }] },
  }),
  'a thought in the history': text => ({
    type: 'message.added',
    message: { role: 'model', parts: [{ kind: 'thought', text }] },
  }),
  'a thought that goes back in pieces': text => ({
    type: 'message.added',
    message: {
      role: 'model',
      parts: [
        {
          kind: 'thought',
          text: '',
          origin: { server: 'x', sealed: { reasoning_details: [{ type: 'reasoning.text', text }] } },
        },
      ],
    },
  }),
  'an argument in the history': text => ({
    type: 'message.added',
    message: { role: 'model', parts: [{ kind: 'call', id: 'c', name: 'x', args: { a: { b: [text] } } }] },
  }),
  'the summary of a compression': text => ({
    type: 'compression.proposed',
    compressionId: 'k1',
    plan: {
      snapshot: text,
      keptFrom: 1,
      parts: [],
      tokens: { before: 2, after: 1 },
      replacement: [{ role: 'user', parts: [{ kind: 'text', text }] }],
      cut: [{ index: 1, message: { role: 'user', parts: [{ kind: 'text', text }] } }],
    },
  }),
  'what a hook printed': text => ({
    type: 'hook.ended',
    runId: 'h1',
    outcome: 'passed',
    summary: text,
    output: text,
    durationMs: 1,
  }),
  'a notice': text => ({ type: 'notice.shown', level: 'error', text }),
  'a problem': text => ({
    type: 'turn.ended',
    turnId: 't1',
    end: { kind: 'failed', trouble: { kind: 'x', message: text } },
  }),
};

function requested(body: { title: string; args: Readonly<Record<string, unknown>> }): SessionEventBody {
  return { type: 'call.requested', callId: 'c1', stepId: 's1', tool: 'write_file', effect: 'edit', ...body };
}

describe('no secret of a known format is recorded', () => {
  for (const [place, make] of Object.entries(places)) {
    test.each(Object.entries(secrets))(`in ${place}: %s`, (_name, { text, hidden }) => {
      const event = numbered(make(`before\n${text}\nafter`));
      const masked = JSON.stringify(maskEvent(event));
      expect(masked).not.toContain(hidden);
      expect(masked).toContain('[masked]');
      expect(masked).toContain('before\\n');
      expect(JSON.stringify(event)).toContain(hidden);
    });
  }

  test('an argument under a name that says it is secret, whatever its format', () => {
    const event = numbered(
      requested({ title: '', args: { password: 'horse', env: { API_KEY: ['a', ''] } } }),
    );
    expect(maskEvent(event)).toMatchObject({
      args: { password: '[masked]', env: { API_KEY: ['[masked]', ''] } },
    });
  });
});

describe('what makes a session work again stays exact', () => {
  const token = secrets['a GitHub token']!.text;
  const exact: readonly SessionEventBody[] = [
    { type: 'checkpoint.taken', path: `/w/${token}`, before: hash },
    { type: 'file.written', path: '/w/DB_PASSWORD=abcdef123', after: hash, by: 'call' },
    { type: 'session.started', sessionId: token, folders: [`/w/${token}`], model: 'm', mode: 'default' },
    {
      type: 'message.added',
      message: {
        role: 'model',
        parts: [
          { kind: 'text', text: 'Hello', signature: token },
          { kind: 'call', id: token, name: 'x', args: {}, signature: token },
          { kind: 'thought', text: '', origin: { server: 'x', id: token, sealed: sealedBy(token) } },
          { kind: 'blob', blob: { mimeType: 'image/png', data: `${token}=` } },
        ],
      },
    },
    { type: 'step.ended', stepId: 's1', finish: 'STOP', citations: [], usage: usage() },
    { type: 'plan.written', path: `/plans/${token}.md`, title: 'Plan' },
  ];

  test.each(exact)('$type', body => {
    const event = numbered(body);
    expect(maskEvent(event)).toBe(event);
  });

  test('an event without secrets is the same object', () => {
    for (const make of Object.values(places)) {
      const event = numbered(make('const token = readToken();'));
      expect(maskEvent(event)).toBe(event);
    }
  });

  test('masking again changes nothing', () => {
    for (const make of Object.values(places)) {
      for (const { text } of Object.values(secrets)) {
        const once = maskEvent(numbered(make(text)));
        expect(maskEvent(once)).toBe(once);
      }
    }
  });

  test('an argument called like a member of an event is masked like any other', () => {
    const event = numbered(
      requested({ title: '', args: { path: token, signature: token, data: token, id: token } }),
    );
    expect(JSON.stringify(maskEvent(event))).not.toContain(token);
  });
});

function sealedBy(seal: string) {
  return {
    reasoning_details: [{ type: 'reasoning.encrypted', data: seal, id: seal, signature: seal }],
    extra_content: { google: { thought_signature: seal } },
  };
}

function usage() {
  return { prompt: 1, cached: 0, output: 1, thoughts: 0 };
}
