/* Calls whose server shows a page: one that came, one that cannot be shown. */

import type { SessionEventBody } from '../../src/protocol/events.ts';
import type { ShownApp } from '../../src/protocol/panel/messages.ts';
import { end, prompt, request, started, step, text } from './journal.ts';

function shows(id: string, title: string): SessionEventBody[] {
  const app = { server: 'board', uri: 'ui://board', path: `/sessions/session-1/outputs/${id}.json` };
  const detail = { kind: 'text', text: '3 tickets are open.' } as const;
  return [
    request({ id, tool: 'mcp_board_show_board', title, args: { city: 'Oslo' } }),
    { type: 'call.started', callId: id },
    end(id, '3 tickets are open.', { display: { summary: '3 tickets are open.', detail, app } }),
  ];
}

export const withApp: readonly SessionEventBody[] = [
  started,
  prompt('t1', 'Show me the board of Oslo'),
  step('s1', 1),
  ...shows('app', 'board: show_board Oslo'),
  text('s1', 'Three tickets are open.'),
  { type: 'turn.ended', turnId: 't1', end: { kind: 'rested' } },
];

/** The page of another call cannot be shown any more, and a call asks. */
export const appAndAsk: readonly SessionEventBody[] = [
  ...withApp.slice(0, -1),
  request({
    id: 'asks',
    tool: 'run_shell_command',
    title: 'Run npm test',
    effect: 'run',
    args: { command: 'npm test' },
  }),
  {
    type: 'call.asked',
    callId: 'asks',
    ask: {
      id: 'ask-1',
      reason: 'A command may do anything.',
      subject: { kind: 'command', command: 'npm test', cwd: '/home/ann/invoices', background: false },
      always: [],
    },
  },
];

export function shownApp(address: string, more: Partial<ShownApp> = {}): ShownApp {
  const given = {
    arguments: { city: 'Oslo' },
    result: { content: [{ type: 'text', text: '3' }], structuredContent: { open: 3 } },
  };
  return { id: 'app-1', address, hosts: [], isGranted: true, csp: {}, given, ...more };
}
