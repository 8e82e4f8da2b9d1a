/* A session of another agent, as it stands here once it was opened. */

import { toImportedSession } from '../../src/extension/core/imports/agentEvents.ts';
import type { OtherAgentTranscript } from '../../src/extension/core/imports/otherAgentSessions.ts';
import { eventOf } from '../../src/protocol/fold/agents.ts';
import type { EmittedBody } from '../support/emitted.ts';
import { started } from './journal.ts';

const transcript: OtherAgentTranscript = {
  id: '0199-7f3a',
  folder: '/home/ann/invoices',
  title: '',
  model: 'gpt-5-codex',
  unreadable: 2,
  isCut: false,
  turns: [
    {
      at: 0,
      prompt: 'Round the totals of an invoice to cents. They end in many digits now.',
      work: [
        { kind: 'text', text: 'The totals are added up in `invoice.ts`.' },
        {
          kind: 'call',
          name: 'shell',
          args: { command: ['rg', '-n', 'total', 'src'] },
          result: { text: 'src/invoice.ts:12: return net * rate;', ok: true },
        },
        {
          kind: 'call',
          name: 'edit',
          args: {
            file_path: 'src/invoice.ts',
            old_string: 'return net * rate;',
            new_string: 'return Math.round(net * rate * 100) / 100;',
          },
          result: { text: 'Done', ok: true },
        },
        { kind: 'call', name: 'shell', args: { command: 'npm test' } },
        { kind: 'text', text: 'The totals are rounded to cents.' },
      ],
    },
    { at: 0, prompt: 'And the tax?', work: [{ kind: 'text', text: 'It is rounded in the same place.' }] },
  ],
};

const found = {
  agent: 'Codex',
  id: transcript.id,
  path: '/home/ann/.codex/sessions/2026/11/28/rollout-2026-11-28T09-12-44-0199-7f3a.jsonl',
  changedAt: 0,
  title: '',
  prompts: 2,
  isCut: false,
};

const note =
  'This session with Codex is from /home/ann/.codex/sessions/2026/11/28/rollout-2026-11-28T09-12-44-0199-7f3a.jsonl. The conversation and tool calls were imported, but not permissions, settings or costs. 2 lines were not understood and are left out.';

export const importedSession: readonly EmittedBody[] = [
  started,
  { type: 'notice.shown', level: 'info', text: note },
  ...toImportedSession(found, transcript).events.map(each => {
    const { seq: _seq, at: _at, ...body } = eventOf(each);
    return body as EmittedBody;
  }),
  { type: 'session.derived', from: transcript.id, agent: 'Codex', unreadable: 2 },
];
