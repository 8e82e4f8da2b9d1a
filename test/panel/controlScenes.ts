/* Sessions with prompts that wait, with hooks, and with work that Folio paused automatically. */

import type { QueuedPrompt, SessionEventBody, TurnEnd } from '../../src/protocol/events.ts';
import type { HookEvent } from '../../src/protocol/hooks.ts';
import type { PendingCustomization } from '../../src/protocol/panel/customizations.ts';
import { done, end, prompt, request, started, step, text } from './journal.ts';
import { running } from './scenario.ts';

export function queued(id: string, words: string, when: QueuedPrompt['when'] = 'next'): SessionEventBody {
  return { type: 'prompt.queued', prompt: { id, text: words, attachments: [], when } };
}

export const waiting: readonly SessionEventBody[] = [
  ...running,
  queued('q1', 'Mind that the rate may be zero', 'steer'),
  queued(
    'q2',
    'Then write a test for an invoice with many lines and one for an invoice without any, and run both of them until they pass',
  ),
  {
    type: 'prompt.queued',
    prompt: {
      id: 'q3',
      text: '',
      when: 'next',
      attachments: [{ kind: 'image', name: 'total.png', blob: { mimeType: 'image/png', data: 'AAAA' } }],
    },
  },
];

export const stoppedTurn: SessionEventBody = { type: 'turn.ended', turnId: 't1', end: { kind: 'stopped' } };

export const oneWaits: readonly SessionEventBody[] = [
  ...running,
  queued('q1', 'Then run the linter'),
  stoppedTurn,
];

export function hook(
  runId: string,
  event: HookEvent,
  ended: Partial<SessionEventBody<'hook.ended'>> = {},
  callId?: string,
): SessionEventBody[] {
  const about = callId === undefined ? {} : { callId };
  return [
    {
      type: 'hook.started',
      runId,
      event,
      name: ended.outcome === undefined ? 'log.sh' : 'check.sh',
      ...about,
    },
    {
      type: 'hook.ended',
      runId,
      outcome: 'passed',
      summary: 'Passed',
      output: '',
      durationMs: 240,
      ...ended,
    },
  ];
}

const publish = { id: 'run9', tool: 'run_shell_command', title: 'Run npm publish', effect: 'run' } as const;

export const hooked: readonly SessionEventBody[] = [
  started,
  prompt('t1', 'Publish the package'),
  ...hook('h0', 'BeforeAgent'),
  step('s1', 1),
  ...hook('h1', 'BeforeTool', {}, 'r1'),
  ...done({ id: 'r1', tool: 'read_file', title: 'Read package.json' }, '31 lines'),
  ...hook('h2', 'AfterTool', {}, 'r1'),
  ...hook('h3', 'BeforeTool', {}, 'r2'),
  ...done({ id: 'r2', tool: 'read_file', title: 'Read CHANGELOG.md' }, '80 lines'),
  ...hook('h4', 'AfterTool', {}, 'r2'),
  text('s1', 'The version is new. I publish it.'),
  request({ ...publish, args: { command: 'npm publish' } }),
  ...hook(
    'h5',
    'BeforeTool',
    {
      outcome: 'blocked',
      summary: 'Packages are published by the release pipeline only. Push a tag instead.',
      output: 'checking \u001b[31mnpm publish\u001b[0m\nrule: no-publish\n',
      durationMs: 1800,
    },
    'run9',
  ),
  end('run9', 'Blocked', { outcome: 'denied' }),
  ...hook('h6', 'AfterModel', { outcome: 'changed', summary: 'Added the release notes as context.' }),
  ...hook('h7', 'Notification', { outcome: 'timedOut', summary: 'It took longer than 60 s and was ended.' }),
  ...hook('h8', 'AfterAgent', { output: 'sent to the log\n', outcome: 'passed' }),
  { type: 'hook.started', runId: 'h9', event: 'AfterAgent', name: 'notify \u202Egnol' },
];

export const unseenHooks: readonly PendingCustomization[] = [
  {
    id: 'hook-1',
    kind: 'hook',
    name: 'BeforeTool',
    detail:
      'node scripts/check.js "$FOLIO_PROJECT_DIR" | tee -a hooks.log && curl -s https://hooks.example/run',
    file: '/home/ann/invoices/.gemini/settings.json',
  },
  {
    id: 'hook-2',
    kind: 'hook',
    name: 'SessionStart',
    detail: 'echo \u202Eolleh',
    file: '/home/ann/invoices/.gemini/settings.json',
  },
];

export function paused(how: TurnEnd): readonly SessionEventBody[] {
  return [
    started,
    prompt('t1', 'Move everything to ESM'),
    ...done({ id: 'r1', tool: 'read_file', title: 'Read package.json' }, '31 lines'),
    { type: 'turn.ended', turnId: 't1', end: how },
  ];
}

export const overSteps = paused({
  kind: 'budget',
  budget: { kind: 'steps', scope: 'turn', limit: 50, used: 50 },
});
export const overMoney = paused({
  kind: 'budget',
  budget: { kind: 'money', scope: 'session', limit: 5, used: 5.12 },
});
export const looping = paused({
  kind: 'loop',
  loop: { kind: 'calls', detail: 'The same 2 calls were made 5 times: Read a.ts, Read b.ts.' },
});
export const endedByHook = paused({ kind: 'hook', reason: 'The build machine is being updated.' });
