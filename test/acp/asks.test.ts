import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type CreateElicitationRequest,
  methods,
  type RequestPermissionOutcome,
  type RequestPermissionRequest,
} from '@agentclientprotocol/sdk';
import { describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, dailyQuota, type Step, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { AcpWorld, type ClientOptions } from './support/acpWorld.ts';

const world = eachTest(() => AcpWorld.make());

const select = (optionId: string): RequestPermissionOutcome => ({ outcome: 'selected', optionId });
const write = (content: string) => call('write_file', { file_path: 'a.txt', content });
const results = () => lastResults(world.server.requests.at(-1)!);

async function run(steps: readonly (readonly Step[])[], options: ClientOptions) {
  const client = await world.start(options);
  const sessionId = await client.newSession(world.workspace);
  world.server.script(...steps);
  const end = await client.prompt(sessionId, 'go');
  return { client, sessionId, end };
}

describe('a question for permission', () => {
  it('of a command has what would run, why it is asked, and every way to answer that the panel has', async () => {
    const command = 'npm publish && rm -rf build';
    const { client } = await run([[call('run_shell_command', { command })], [text('As you like.')]], {
      answer: async () => select('deny'),
    });
    const [asked] = client.asked;
    const shown = JSON.stringify(asked!.toolCall.content);
    expect(shown).toContain(command);
    expect(shown).toContain(world.workspace);
    expect(shown).toContain('`rm -rf build`: ');
    expect(asked!.options).toEqual([
      { optionId: 'once', name: expect.stringMatching(/^Run( anyway)?$/), kind: 'allow_once' },
      ...asked!.options.slice(1, -1).map(() => ({
        optionId: expect.stringMatching(/^always\./),
        name: expect.stringMatching(/^Always .*(session|workspace)/),
        kind: 'allow_always',
      })),
      { optionId: 'deny', name: 'Deny', kind: 'reject_once' },
    ]);
    expect(results()[0]?.error).toContain('The user denied this call; nothing was done.');
    expect(client.of('tool_call_update').at(-1)).toMatchObject({
      status: 'failed',
      rawOutput: { outcome: 'denied' },
    });
    await client.end();
    expect(client.faults).toEqual([]);
  });

  it('of a command that is only allowed once says why', async () => {
    const { client } = await run(
      [[call('run_shell_command', { command: 'node --test' })], [text('As you like.')]],
      { answer: async () => select('deny') },
    );
    const [asked] = client.asked;
    expect(asked!.options.map(({ optionId }) => optionId)).toEqual(['once', 'deny']);
    expect(JSON.stringify(asked!.toolCall.content)).toContain(
      'Folio asks each time: it cannot limit a lasting permission to this use of node.',
    );
  });

  it('that is answered with "always" is asked once', async () => {
    const run1 = call('run_shell_command', { command: 'mkdir one' });
    const run2 = call('run_shell_command', { command: 'mkdir two' });
    const { client } = await run([[run1], [run2], [text('Done.')]], {
      answer: async ({ options }) => select(options.find(({ kind }) => kind === 'allow_always')!.optionId),
    });
    expect(client.asked.map(({ options }) => options[1]?.name)).toEqual([
      'Always run mkdir *, in this session',
    ]);
    expect(results()[0]?.output).toContain('Exit code: 0');
  });

  it('holds for what was shown: a file that has changed since is not written', async () => {
    const path = join(world.workspace, 'a.txt');
    await writeFile(path, 'before\n');
    await run([[call('read_file', { file_path: 'a.txt' })], [write('mine\n')], [text('Oh.')]], {
      answer: async () => {
        await writeFile(path, 'changed meanwhile\n');
        return select('once');
      },
    });
    expect(await readFile(path, 'utf8')).toBe('changed meanwhile\n');
    expect(results()[0]?.error).toMatch(/changed/);
  });

  it.each([
    ['an option that was not offered', select('everything')],
    ['no answer', { outcome: 'cancelled' } as const],
  ])('that gets %s is denied', async (_name, outcome) => {
    const { end } = await run([[write('a')], [text('Oh.')]], { answer: async () => outcome });
    expect(end).toEqual({ stopReason: 'end_turn' });
    await expect(readFile(join(world.workspace, 'a.txt'))).rejects.toThrow();
    expect(results()[0]?.error).toContain('denied');
  });

  it('that the client cannot ask is denied', async () => {
    await run([[write('a')], [text('Oh.')]], { answer: () => Promise.reject(new Error('I have no window')) });
    expect(results()[0]?.error).toContain('Nobody could be asked');
  });

  it('is withdrawn when the turn is cancelled', async () => {
    const client = await world.start({ answer: () => new Promise(() => {}) });
    const sessionId = await client.newSession(world.workspace);
    world.server.script([write('a')], [text('Next.')]);
    const prompted = client.prompt(sessionId, 'go');
    await expect.poll(() => client.asked.length).toBe(1);
    await client.agent.notify(methods.agent.session.cancel, { sessionId });
    expect(await prompted).toEqual({ stopReason: 'cancelled' });
    expect(client.wire.some(({ method }) => method === '$/cancel_request')).toBe(true);
    expect(await client.prompt(sessionId, 'on')).toEqual({ stopReason: 'end_turn' });
  });

  it('of a plan approves it with the mode that is chosen', async () => {
    const { client } = await run(
      [[call('exit_plan_mode', { title: 'My plan', plan: '# First this' })], [write('a')], [text('Built.')]],
      {
        args: ['--approval-mode', 'plan'],
        answer: async ({ options }) => select(options[1]!.optionId),
      },
    );
    expect(client.asked).toHaveLength(1);
    expect(JSON.stringify(client.asked[0]!.toolCall.content)).toContain('# First this');
    expect(client.asked[0]!.options.map(({ name }) => name)).toEqual([
      'Approve, and ask before each edit',
      'Approve, and edit without asking',
      'Send back',
    ]);
    expect(client.of('current_mode_update').at(-1)?.currentModeId).toBe('autoEdit');
    expect(await readFile(join(world.workspace, 'a.txt'), 'utf8')).toBe('a');
  });

  it('of a call that sends out a subagent says what it is and what the agent may do', async () => {
    const policy = join(world.folder, 'rules.toml');
    await writeFile(policy, '[[rule]]\ntoolName = "invoke_agent"\ndecision = "ask_user"\npriority = 100\n');
    const sent = call('invoke_agent', { agent_name: 'codebase_investigator', prompt: 'Look.' });
    const { client } = await run([[sent], [text('As you like.')]], {
      args: ['--policy', policy],
      answer: async () => select('deny'),
    });
    const [shown] = client.of('tool_call');
    const { kind, content } = client.asked[0]!.toolCall;
    expect(kind).toBe(shown!.kind);
    expect(content).toEqual(expect.arrayContaining(shown!.content!));
    expect(JSON.stringify(content)).toContain('This agent may read files');
  });

  it('of a call of a subagent is asked with the call that it is about', async () => {
    const { client } = await run(
      [
        [call('invoke_agent', { agent_name: 'generalist', prompt: 'Write it.' })],
        [write('by an agent')],
        [call('complete_task', { result: 'Written.' })],
        [text('It is written.')],
      ],
      {},
    );
    const [asked] = client.asked;
    const shown = client.of('tool_call').find(({ toolCallId }) => toolCallId === asked!.toolCall.toolCallId);
    expect(shown).toMatchObject({
      kind: 'edit',
      _meta: { 'folio/agentCall': client.of('tool_call')[0]!.toolCallId },
    });
    // The call that sends it out is described by what the agent may do.
    expect(client.of('tool_call')[0]).toMatchObject({
      kind: 'execute',
      content: [
        {
          content: {
            text: expect.stringMatching(/^This agent may read files, .*edit files and run commands\./),
          },
        },
      ],
    });
    expect(await readFile(join(world.workspace, 'a.txt'), 'utf8')).toBe('by an agent');
    await client.end();
    expect(client.faults).toEqual([]);
  });
});

describe('questions of the model', () => {
  const questions = [
    {
      question: 'Which colour?',
      header: 'Colour',
      type: 'choice',
      options: [{ label: 'Red' }, { label: 'Blue' }],
    },
    { question: 'What name?', header: 'Name', type: 'text' },
    { question: 'Really?', header: 'Sure', type: 'yesno' },
  ];

  it('are a form of the client', async () => {
    const forms: CreateElicitationRequest[] = [];
    const { client } = await run([[call('ask_user', { questions })], [text('Thanks.')]], {
      capabilities: { elicitation: { form: {} } },
      extend: app =>
        app.onRequest(methods.client.elicitation.create, ({ params }) => {
          forms.push(params);
          return { action: 'accept', content: { answer1: 'Blue', answer2: 'Ada', answer3: true } };
        }),
    });
    expect(forms[0]).toMatchObject({
      mode: 'form',
      requestedSchema: {
        required: ['answer1', 'answer2', 'answer3'],
        properties: {
          answer1: { type: 'string', title: 'Colour', oneOf: [{ const: 'Red' }, { const: 'Blue' }] },
          answer2: { type: 'string', title: 'Name', description: 'What name?' },
          answer3: { type: 'boolean' },
        },
      },
    });
    const answers = JSON.parse(results()[0]?.output ?? '').answers;
    expect(answers.map(({ answer }: { answer: string }) => answer)).toEqual(['Blue', 'Ada', 'Yes']);
    await client.end();
    expect(client.faults).toEqual([]);
  });

  it('that a client without forms can show are buttons', async () => {
    const { client } = await run(
      [[call('ask_user', { questions: questions.slice(0, 1) })], [text('Thanks.')]],
      {
        answer: async () => select('answer.1'),
      },
    );
    expect(client.asked[0]!.options.map(({ name }) => name)).toEqual(['Red', 'Blue', 'Skip']);
    expect(results()[0]?.output).toContain('"answer":"Blue"');
  });

  it('that it cannot show are asked in the answer', async () => {
    await run([[call('ask_user', { questions })], [text('What name?')]], {});
    expect(results()[0]?.error).toContain('Ask in the words of your answer');
  });
});

describe('a model that is not available', () => {
  it('is asked about, and another one takes over', async () => {
    const quota = dailyQuota();
    const asked: RequestPermissionRequest[] = [];
    const client = await world.start({
      args: ['--model', 'gemini-2.5-pro'],
      answer: async request => {
        asked.push(request);
        return select(request.options.find(({ optionId }) => optionId === 'switch')?.optionId ?? 'stop');
      },
    });
    const sessionId = await client.newSession(world.workspace);
    world.server.afterScript(request =>
      request.model === 'gemini-2.5-pro' ? quota : [text('The other one.')],
    );
    expect(await client.prompt(sessionId, 'hello')).toEqual({ stopReason: 'end_turn' });
    expect(asked[0]!.options.map(({ name }) => name)).toEqual([
      'Try gemini-2.5-pro again',
      expect.stringMatching(/^Continue with /),
      'Stop and Show Where to Upgrade',
      'Stop',
    ]);
    expect(client.said('agent_message_chunk')).toBe('The other one.');
    await client.end();
    expect(client.faults).toEqual([]);
  });
});
