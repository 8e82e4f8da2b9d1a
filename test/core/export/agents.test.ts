import { describe, expect, test } from 'vitest';
import { chapterMarkdown } from '../../../src/extension/core/export/chapterMarkdown.ts';
import { sessionJson } from '../../../src/extension/core/export/sessionJson.ts';
import { sessionMarkdown } from '../../../src/extension/core/export/sessionMarkdown.ts';
import type { DisplayDetail } from '../../../src/protocol/asks.ts';
import type { SessionEventBody } from '../../../src/protocol/events.ts';
import type { SessionState } from '../../../src/protocol/state.ts';
import type { EmittedBody } from '../../support/emitted.ts';
import { called, chapter, edit, notify, prompt, rested, said, spent, started } from '../../support/story.ts';

const findings = {
  SummaryOfFindings: '# Answer\n\nIt rounds twice.',
  ExplorationTrace: ['Searched for round', 'Read src/total.ts'],
  RelevantLocations: [{ FilePath: 'src/total.ts:12', Reasoning: 'Rounds early.', KeySymbols: ['total'] }],
};

function step(model: string, number = 1): SessionEventBody {
  return { type: 'step.started', stepId: 's', number, model };
}

/** An agent that was sent out, with what happened to it; what it handed in is the detail of its call. */
function sent(
  name: string,
  task: string,
  work: readonly SessionEventBody[],
  detail: DisplayDetail | undefined,
): readonly EmittedBody[] {
  const callId = `of-${name}`;
  const reported = [
    { ...started, sessionId: callId } as SessionEventBody,
    prompt(task, `t-${name}`),
    ...work,
  ];
  const outcome = detail ? 'ok' : 'failed';
  const summary = detail ? '2 steps, 2 calls' : 'No report. It stopped without one.';
  return [
    {
      type: 'call.requested',
      callId,
      stepId: 's',
      tool: 'invoke_agent',
      effect: 'read',
      title: `${name}: ${task.split('\n', 1)[0]}`,
      args: { agent_name: name, prompt: task },
    },
    { type: 'call.started', callId },
    ...reported.map(event => ({ callId, agent: name, event })),
    { type: 'call.ended', callId, outcome, display: { summary, detail }, durationMs: 64_000 },
  ];
}

const handIn = called(
  { tool: 'complete_task', effect: 'note', title: 'Hand in the report' },
  { display: { summary: 'Handed in' } },
);

/** One looks and reports, one edits and does not; the model of the second turn gives way to another. */
function agentStory(): SessionState {
  return notify(
    started,
    prompt('Why is it off?'),
    step('gemini-2.5-pro'),
    2,
    chapter('Looking into it'),
    said('I send two out.'),
    ...sent(
      'codebase_investigator',
      'Find where it rounds.\n\n# And why',
      [
        step('gemini-2.5-pro'),
        { type: 'thought.appended', stepId: 's', text: 'musings' },
        ...called({ title: 'Read src/total.ts' }, { display: { summary: '42 lines' } }),
        spent(4_000, 100, 0.01),
        step('gemini-2.5-pro', 2),
        ...handIn,
        spent(5_000, 200, 0.02),
        rested('t-codebase_investigator'),
      ],
      { kind: 'report', report: findings },
    ),
    ...sent(
      'generalist',
      'Mend it',
      [step('gemini-2.5-flash'), ...edit, said('Halfway.'), spent(1_000, 50), rested('t-generalist')],
      undefined,
    ),
    spent(12_000, 400, 0.02),
    62,
    rested(),
    prompt('Continue', 't2'),
    step('gemini-2.5-pro'),
    {
      type: 'step.retried',
      stepId: 's',
      reason: 'Busy.',
      model: 'gemini-2.5-flash',
      attempt: 2,
      maxAttempts: 3,
      delayMs: 0,
    },
    said('Done.'),
    spent(100, 10),
    80,
    rested('t2'),
    prompt('Thanks', 't3'),
    step('gemini-2.5-flash'),
    said('Gladly.'),
    spent(100, 10),
    rested('t3'),
  );
}

describe('subagents and models in an export', () => {
  test('of a session are folded sections, and lines where another model took over', async () => {
    await expect(sessionMarkdown(agentStory())).toMatchFileSnapshot('agents.golden.md');
  });

  test('of a session as data are in its calls and prompts', async () => {
    const text = sessionJson(agentStory()).replaceAll(/"c\d+"/g, '"call"');
    await expect(text).toMatchFileSnapshot('agents.golden.json');
    expect(text).not.toContain('musings');
  });

  test('of one chapter name the model also where the turn began before it', async () => {
    const story = agentStory();
    await expect(chapterMarkdown(story.chapters[1]!, story)).toMatchFileSnapshot('agentsChapter.golden.md');
  });
});

test('the model of a turn that still runs is named', () => {
  const story = notify(
    started,
    prompt('Go'),
    step('a-model'),
    spent(10, 1),
    step('b-model', 2),
    spent(10, 1),
  );
  expect(sessionMarkdown(story)).toBe(
    '# Go\n\n22 tokens · price unknown\n\n> **Prompt**\n>\n> Go\n\nModel: `a-model`, then `b-model`\n',
  );
});

test('nothing that an agent was told or handed in ends its section or opens another', () => {
  const hostile = 'x</details>\n\n<summary>y\n\n```\nopen\n</ DETAILS >';
  const text = sessionMarkdown(
    notify(
      started,
      prompt('Go'),
      ...sent('a<b>', hostile, [...called({ title: 'Read </details>' }, {})], {
        kind: 'report',
        report: { result: hostile },
      }),
    ),
  );
  expect(text.match(/(?<!\\)<\s*\/?\s*(?:details|summary)/gi)).toEqual([
    '<details',
    '<summary',
    '</summary',
    '</details',
  ]);
  expect(text).toContain('<summary>a&lt;b&gt; · 1 call · 1 min 4 s · gemini-2.5-pro</summary>');
  expect(text.trimEnd().endsWith('\n\n  </details>')).toBe(true);
});

test.each<[string, DisplayDetail, string]>([
  ['empty report', { kind: 'report', report: {} }, '  > *It is empty.*'],
  ['report of an earlier version', { kind: 'text', text: 'Found it.' }, '  > Found it.'],
  [
    'structured one of an earlier version',
    { kind: 'text', text: JSON.stringify(findings, null, 2) },
    '  > - `src/total.ts:12` (`total`): Rounds early.',
  ],
])('an %s is told', (_name, detail, line) => {
  expect(sessionMarkdown(notify(started, prompt('Go'), ...sent('generalist', 'x', [], detail)))).toContain(
    `${line}\n`,
  );
});

test('an agent that still works has its calls so far', () => {
  const [asked, begun, ...reported] = sent('generalist', 'Look', [...called({}, {})], undefined);
  const text = sessionMarkdown(notify(started, prompt('Go'), asked!, begun!, ...reported.slice(0, -1)));
  expect(text).toContain('- … generalist: Look · not finished\n\n  <details>');
  expect(text).toContain('  - ✓ Read a.ts · Done\n\n  </details>');
});
