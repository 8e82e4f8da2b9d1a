/* Sessions that wait for a user: command lines, forms, plans; and the rules in force. */

import type { Ask, AskSubject } from '../../src/protocol/asks.ts';
import type { SessionEventBody } from '../../src/protocol/events.ts';
import type { Permission } from '../../src/protocol/permissions.ts';
import type { Question } from '../../src/protocol/questions.ts';
import { end, request } from './journal.ts';
import { opening } from './scenario.ts';

const commandLine = 'git status && cat package.json | node --run build && rm -rf ../dist';

function asked(
  title: string,
  ask: Ask,
  effect: 'run' | 'read' | 'note' = 'note',
): readonly SessionEventBody[] {
  return [
    ...opening,
    request({ id: 'asked', tool: 'any_tool', title, effect }),
    { type: 'call.asked', callId: 'asked', ask },
  ];
}

function plainAsk(subject: AskSubject, reason: string, more: Partial<Ask> = {}): Ask {
  return { id: 'ask-1', reason, subject, always: [], ...more };
}

/** The model wants the user to answer it. */
export const askingInteractive = asked(
  'Run npm init',
  plainAsk(
    {
      kind: 'command',
      command: 'npm init',
      cwd: '/home/ann/invoices',
      background: false,
      terminal: 'wanted',
    },
    'Commands can change anything on this machine.',
  ),
  'run',
);

const commandAsk: Ask = {
  id: 'ask-1',
  reason: 'It deletes a folder outside of the workspace. This script could do anything.',
  rule: 'Asked by .gemini/policies/team.toml, line 12.',
  subject: {
    kind: 'command',
    command: commandLine,
    cwd: '/home/ann/invoices',
    background: false,
    terminal: 'offered',
  },
  commands: [
    { text: 'git status', verdict: 'reads', reason: 'It only shows the state of the repository.' },
    { text: 'cat package.json', verdict: 'reads', reason: 'It only prints a file.' },
    { text: 'node --run build', verdict: 'unknown', reason: 'This script could do anything.' },
    { text: 'rm -rf ../dist', verdict: 'dangerous', reason: 'It deletes a folder outside of the workspace.' },
  ],
  always: [],
};

export const askingDangerous = asked('Run git status && cat package.json | …', commandAsk, 'run');

export const askingLongLine = asked(
  'Run git status && git status && …',
  { ...commandAsk, commands: [...(commandAsk.commands ?? []), ...(commandAsk.commands ?? [])] },
  'run',
);

const pushAsk = plainAsk(
  { kind: 'command', command: 'git push', cwd: '/home/ann/invoices', background: false },
  'It sends commits to another repository.',
  { commands: [{ text: 'git push', verdict: 'unknown', reason: 'It sends commits to another repository.' }] },
);

/** One command that a small model let run, and one that it left to the user. */
export const classified: readonly SessionEventBody[] = [
  ...opening,
  request({ id: 'built', tool: 'run_shell_command', title: 'Run npm run build', effect: 'run' }),
  {
    type: 'call.judged',
    callId: 'built',
    judged: {
      model: 'gemini-2.5-flash-lite',
      answer: 'allow',
      reason: 'It builds the invoices, as you asked.',
    },
  },
  { type: 'call.started', callId: 'built' },
  end('built', 'Exit code 0'),
  request({ id: 'asked', tool: 'run_shell_command', title: 'Run git push', effect: 'run' }),
  {
    type: 'call.judged',
    callId: 'asked',
    judged: {
      model: 'gemini-2.5-flash-lite',
      answer: 'ask',
      reason: 'You asked for a build, not for a push.',
    },
  },
  { type: 'call.asked', callId: 'asked', ask: pushAsk },
];

export const askingGrant = asked(
  'Run pip install flask',
  plainAsk(
    {
      kind: 'command',
      command: 'pip install flask',
      cwd: '/home/ann/invoices',
      background: false,
      walls:
        'in the sandbox: writes in the workspace, /home/ann/.cache/pip; connects to pypi.org, files.pythonhosted.org',
    },
    'The sandbox does not allow this: write to /home/ann/.cache/pip and connect to pypi.org and connect to files.pythonhosted.org.',
    {
      always: [
        {
          id: 'session',
          scope: 'session',
          label: 'Always allow all of these',
        },
        { id: 'outside', scope: 'once', label: 'Run outside the sandbox' },
      ],
    },
  ),
  'run',
);

/** Its output so far stays, and the hosts are one ask. */
export const askingConnect: readonly SessionEventBody[] = [
  ...opening,
  request({ id: 'asked', tool: 'run_shell_command', title: 'Run npm ci', effect: 'run' }),
  { type: 'call.started', callId: 'asked' },
  { type: 'call.output', callId: 'asked', text: 'npm http fetch GET https://registry.npmjs.org/left-pad\n' },
  {
    type: 'call.asked',
    callId: 'asked',
    ask: plainAsk(
      { kind: 'connect', hosts: ['registry.npmjs.org', 'codeload.github.com'], command: 'npm ci' },
      'The sandbox blocks connections that you have not allowed. The command waits two minutes for your answer.',
      {
        always: [
          { id: 'session', scope: 'session', label: 'Always allow all of these' },
          { id: 'workspace', scope: 'workspace', label: 'Always allow all of these' },
          { id: 'user', scope: 'user', label: 'Always allow all of these' },
        ],
      },
    ),
  },
];

export const askingLasting = asked(
  'Run npm test',
  {
    ...commandAsk,
    reason: 'Commands can change anything on this machine.',
    subject: { kind: 'command', command: 'npm test', cwd: '/home/ann/invoices', background: false },
    commands: [{ text: 'npm test', verdict: 'unknown', reason: 'This script could do anything.' }],
    always: [
      { id: 'here', scope: 'session', label: 'Always run npm test *' },
      { id: 'there', scope: 'workspace', label: 'Always run npm test *' },
      { id: 'everywhere', scope: 'user', label: 'Always run npm *' },
    ],
  },
  'run',
);

/** A permission for the program would be one for everything. */
export const askingEachTime = asked(
  'Run node --test',
  plainAsk(
    { kind: 'command', command: 'node --test', cwd: '/home/ann/invoices', background: false },
    'node runs a program.',
    {
      commands: [{ text: 'node --test', verdict: 'unknown', reason: 'node runs a program.' }],
      eachTime: 'Folio asks each time: it cannot limit a lasting permission to this use of node.',
    },
  ),
  'run',
);

export const askingReadingCommand = asked(
  'Run cat .env',
  {
    ...commandAsk,
    reason: 'The file often holds secrets.',
    subject: { kind: 'command', command: 'cat .env', cwd: '/home/ann/invoices', background: false },
    commands: [{ text: 'cat .env', verdict: 'reads', reason: 'It only prints a file.' }],
  },
  'run',
);

export const askingInBackground = asked(
  'Run npm run watch',
  plainAsk(
    { kind: 'command', command: 'npm run watch', cwd: '/home/ann/invoices', background: true },
    'Commands can change anything on this machine.',
  ),
  'run',
);

export const askingHidden = asked(
  'Run a command with hidden text',
  plainAsk(
    {
      kind: 'command',
      command: 'echo safe\u202E fr- mr\u200B # \u00A0',
      cwd: '/home/ann/invoices',
      background: false,
    },
    'The command holds text that cannot be seen.',
  ),
  'run',
);

export const askingRead = asked(
  'Read .env',
  plainAsk(
    { kind: 'read', paths: ['.env', 'config/.env.production\u202E'] },
    'These files often hold secrets, and what is read goes to the model.',
  ),
  'read',
);

export const askingMode = asked(
  'Switch to plan mode: The change touches every invoice',
  plainAsk({ kind: 'mode', mode: 'plan' }, 'Folio would like to plan first.'),
);

export const questions: readonly Question[] = [
  {
    header: 'Rounding',
    text: 'Where should the total be rounded?',
    field: {
      kind: 'choice',
      multiple: false,
      options: [
        { label: 'Once, on the sum', description: 'What tax offices expect' },
        { label: 'On each line', description: 'As it is today' },
      ],
    },
  },
  {
    text: 'Which currencies matter?',
    field: {
      kind: 'choice',
      multiple: true,
      options: [{ label: 'Euro' }, { label: 'Yen' }, { label: 'Dinar' }],
    },
  },
  { text: 'What is the changelog entry?', field: { kind: 'text', placeholder: 'One sentence' } },
  { text: 'May old invoices change?', field: { kind: 'yesNo' } },
];

export function askingQuestions(given: readonly Question[] = questions): readonly SessionEventBody[] {
  return asked(
    `Ask: ${given[0]?.text}`,
    plainAsk({ kind: 'questions', questions: given }, 'The answers decide how the work continues.'),
  );
}

export const answered: readonly SessionEventBody[] = [
  ...askingQuestions(),
  { type: 'call.decided', callId: 'asked', decision: 'answers' },
  end('asked', '2 of 2 questions answered', {
    display: {
      summary: '2 of 2 questions answered',
      detail: {
        kind: 'text',
        text: 'Where should the total be rounded?\n→ Once, on the sum\n\nMay old invoices change?\n→ No',
      },
    },
  }),
];

export const skipped: readonly SessionEventBody[] = [
  ...askingQuestions(),
  { type: 'call.decided', callId: 'asked', decision: 'deny' },
  end('asked', 'Skipped', { outcome: 'denied' }),
];

export const planPath = '/home/ann/.folio/plans/round-once.md';

export const askingPlan = asked(
  'Plan: Round once',
  plainAsk(
    {
      kind: 'plan',
      path: planPath,
      text: [
        '# Round once',
        '1. Add the **net** amounts in `src/invoice.ts`',
        '2. Round the sum',
        ...Array.from({ length: 14 }, (_, index) => `${index + 3}. Check module ${index + 1}`),
      ].join('\n\n'),
    },
    'Folio works on it when you approve it.',
  ),
);

const next: SessionEventBody = { type: 'chapter.started', chapterId: 'c4', title: 'Working on it' };

/** A chapter has begun after the decision, so the one of the decision is folded. */
export const decidedBefore = {
  plan: [
    ...askingPlan.map(body =>
      body.type === 'call.requested' && body.callId === 'asked'
        ? { ...body, args: { title: 'Round once', plan: '1. Round the sum' } }
        : body,
    ),
    { type: 'call.decided', callId: 'asked', decision: 'plan' },
    end('asked', 'Approved'),
    next,
  ],
  answers: [...answered, next],
} as const satisfies Readonly<Record<string, readonly SessionEventBody[]>>;

export const permissions: readonly Permission[] = [
  {
    id: 'p1',
    decision: 'deny',
    subject: 'Commands that start with curl',
    origin: '/etc/folio/policies/company.toml, line 4',
    tier: 'admin',
    file: '/etc/folio/policies/company.toml',
    line: 4,
    removable: false,
  },
  {
    id: 'p2',
    decision: 'allow',
    subject: 'Commands that start with npm test',
    origin: 'You, in this session',
    tier: 'session',
    removable: true,
  },
  {
    id: 'p3',
    decision: 'allow',
    subject: 'Edits of src/invoice.ts',
    origin: 'You, in this session',
    tier: 'session',
    removable: true,
  },
  {
    id: 'p4',
    decision: 'ask',
    subject: 'The tool deploy of the server release',
    origin: '.gemini/policies/team.toml, line 12',
    tier: 'workspace',
    file: '/home/ann/invoices/.gemini/policies/team.toml',
    line: 12,
    removable: false,
    modes: ['autoEdit', 'yolo'],
  },
  {
    id: 'p5',
    decision: 'allow',
    subject: 'Reading files of the workspace',
    origin: 'Folio',
    tier: 'default',
    removable: false,
  },
  {
    id: 'p6',
    decision: 'ask',
    subject: 'Commands',
    origin: 'Folio',
    tier: 'default',
    removable: false,
    modes: ['default', 'autoEdit'],
  },
];

export const actingAlone: readonly SessionEventBody[] = [...opening, { type: 'mode.changed', mode: 'yolo' }];
