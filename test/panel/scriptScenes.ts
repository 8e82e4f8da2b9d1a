/* Sessions in which a script called tools of servers: asking, done, failed. */

import type { SessionEventBody } from '../../src/protocol/events.ts';
import type { EmittedBody } from '../support/emitted.ts';
import { ofAgent } from './agentScenes.ts';
import { done, end, prompt, request, started, step, text } from './journal.ts';

const code = `const { repositories } = await servers.code.list_repositories({});
const { shifts } = await servers.calendar.list_shifts({ week: 'this' });
const onCall = shifts.map(each => each.user);
const totals = await Promise.all(repositories.map(async ({ name }) => {
  const { issues } = await servers.tracker.list_issues({ repository: name });
  // Only bugs of people who are on call now.
  return \`\${name}: \${issues.filter(each => onCall.includes(each.assignee)).length}\`;
}));
await servers.chat.create_message({ channel: 'triage', text: totals.join(', ') });
return totals;`;

const post = {
  id: 'q4',
  tool: 'mcp_chat_create_message',
  title: 'chat: create_message triage',
  effect: 'run',
  args: { channel: 'triage', text: 'billing: 4, orders: 2' },
} as const;

const under = (...events: readonly SessionEventBody[]) => ofAgent('q', 'script', ...events);

/** One of its calls asks. */
export const scriptAsks: readonly EmittedBody[] = [
  started,
  prompt('t1', 'Post to #triage how many open bugs those on call have.'),
  step('s1', 1),
  text('s1', 'I count them with one script.'),
  request({
    id: 'q',
    tool: 'run_tool_script',
    title: 'Script: Count bugs of those on call',
    args: { script: code, purpose: 'Count bugs of those on call' },
  }),
  { type: 'call.started', callId: 'q' },
  ...under(
    started,
    prompt('q-turn', code),
    ...done(
      { id: 'q1', tool: 'mcp_code_list_repositories', title: 'code: list_repositories' },
      '2 repositories',
    ),
    ...done({ id: 'q2', tool: 'mcp_calendar_list_shifts', title: 'calendar: list_shifts this' }, '3 shifts'),
    ...done(
      { id: 'q3', tool: 'mcp_tracker_list_issues', title: 'tracker: list_issues billing' },
      '20 issues',
    ),
    request(post),
    {
      type: 'call.asked',
      callId: 'q4',
      ask: {
        id: 'ask-q4',
        reason: 'Nobody knows what a tool of a server does.',
        subject: { kind: 'other', detail: `create_message of the server chat\n${JSON.stringify(post.args)}` },
        always: [],
      },
    },
  ),
];

const rested = { type: 'turn.ended', turnId: 'q-turn', end: { kind: 'rested' } } as const;

export const scriptEnded: readonly EmittedBody[] = [
  ...scriptAsks,
  ...under(
    { type: 'call.decided', callId: 'q4', decision: 'once' },
    { type: 'call.started', callId: 'q4' },
    end('q4', 'Posted'),
    rested,
  ),
  end('q', '4 calls', {
    display: { summary: '4 calls', detail: { kind: 'text', text: '["billing: 4","orders: 2"]' } },
  }),
];

export const scriptFailed: readonly EmittedBody[] = [
  ...scriptAsks,
  ...under(
    { type: 'call.decided', callId: 'q4', decision: 'deny' },
    end('q4', 'Denied', { outcome: 'denied' }),
    rested,
  ),
  end('q', 'The user denied this call; nothing was done.', { outcome: 'failed' }),
];
