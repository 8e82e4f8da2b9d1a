/* Calls that did not do their work, and commands of which not everything can be put back. */

import type { SessionEventBody } from '../../src/protocol/events.ts';
import { end, prompt, request, started, step } from './journal.ts';

export const gap = 'Without Git, a rewind restores only files that Folio wrote.';

function command(id: string, line: string): readonly SessionEventBody[] {
  return [
    request({
      id,
      tool: 'run_shell_command',
      title: `Run ${line}`,
      effect: 'run',
      args: { command: line },
    }),
    { type: 'call.started', callId: id },
  ];
}

function ran(id: string, line: string): readonly SessionEventBody[] {
  const detail = { kind: 'command', exitCode: 0, output: '' } as const;
  return [
    ...command(id, line),
    end(id, 'Exit code 0', { display: { summary: 'Exit code 0', detail, uncovered: gap } }),
  ];
}

export const outcomes: readonly SessionEventBody[] = [
  started,
  prompt('t1', 'Release the package'),
  step('s1', 1),
  ...ran('run1', 'npm run build'),
  ...ran('run2', 'npm pack'),
  ...command('run3', 'npm publish --access public --tag next'),
  { type: 'call.decided', callId: 'run3', decision: 'deny', reason: 'Once is enough, and it was yesterday.' },
  end('run3', 'Denied', { outcome: 'denied' }),
  ...command('run4', 'npm publish --access public --tag latest'),
  end('run4', 'Blocked by a hook: packages are published by the release pipeline only.', {
    outcome: 'denied',
  }),
  ...command('run5', 'npm run watch -- --everything --in all packages'),
  end('run5', 'Stopped', { outcome: 'cancelled' }),
  request({ id: 'r1', tool: 'read_file', title: 'Read packages/release/notes/2026-11-21.md' }),
  { type: 'call.started', callId: 'r1' },
  end('r1', 'File not found in the workspace', { outcome: 'failed' }),
  request({
    id: 'e1',
    tool: 'write_file',
    title: 'Write packages/release/notes/2026-11-21.md',
    effect: 'edit',
  }),
  end('e1', 'No change', { outcome: 'failed', display: { summary: 'No change', unchanged: true } }),
  ...command('run8', 'npm run pack -- --into /opt/releases'),
  end('run8', 'Exit code 1', {
    display: {
      summary: 'Exit code 1, in the sandbox, which did not allow it to write to /opt/releases',
      detail: { kind: 'command', exitCode: 1, output: 'npm error code EROFS\n' },
    },
  }),
  { type: 'chapter.started', chapterId: 'c1', title: 'Publishing by tag' },
  ...ran('run6', 'git tag v1'),
  ...command('run7', 'find . -name "*.tgz" -newer package.json -print | xargs -n 1 tar -tzf | sort | uniq'),
];

/** Commands that came back to the model as waiting: one automatically, one by what the model answered it. */
export const leftWaiting: readonly SessionEventBody[] = [
  started,
  prompt('t1', 'Begin a package, and stage the fix alone'),
  step('s1', 1),
  ...command('init', 'npm init'),
  { type: 'call.waited', callId: 'init', waits: true },
  cameBack('init', 'package name: (invoices) '),
  ...command('add', 'git add -p'),
  { type: 'call.waited', callId: 'add', waits: true },
  cameBack('add', '(1/2) Stage this hunk [y,n,q,a,d,j,J,g,/,e,?]? '),
  request({ id: 'sent', tool: 'send_input', title: 'Answer process 12: yes', effect: 'run' }),
  { type: 'call.waited', callId: 'add', waits: false },
  { type: 'call.started', callId: 'sent' },
  { type: 'call.waited', callId: 'sent', waits: true, startedBy: 'add' },
  cameBack('sent', '(2/2) Stage this hunk [y,n,q,a,d,K,g,/,e,?]? '),
  { type: 'turn.ended', turnId: 't1', end: { kind: 'rested' } },
];

function cameBack(id: string, output: string): SessionEventBody {
  const summary = 'Waited for input, process 12';
  return end(id, summary, { display: { summary, detail: { kind: 'command', exitCode: null, output } } });
}
