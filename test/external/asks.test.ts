import { expect, it } from 'vitest';
import type { ExternalCall } from '../../src/extension/core/external/externalAgent.ts';
import {
  ExternalToolCall,
  externalTool,
  type ShownCall,
} from '../../src/extension/core/external/externalTool.ts';
import { ExternalTurn, type ExternalTurnContext } from '../../src/extension/core/external/externalTurn.ts';
import type { ToolRunContext } from '../../src/extension/core/tool.ts';

const options = [{ id: 'yes', name: 'Yes', kind: 'allow' }] as const;
const run = (args: unknown): ExternalToolCall =>
  new ExternalToolCall({ id: '1', deed: 'run', args }, 'linux');

async function ask(own: ExternalToolCall) {
  const heard: (ShownCall | undefined)[] = [];
  const asking = { agent: 'a', cwd: '/w', options, allowed: (shown?: ShownCall) => void heard.push(shown) };
  const tool = externalTool(own, async path => path, asking);
  const signal = new AbortController().signal;
  const context = { signal, write: () => {} } as unknown as ToolRunContext;
  const prepared = await tool.prepare({}, context);
  return { prepared, heard, allow: () => tool.run({}, prepared.plan, context) };
}

it('a permission is for what its card showed, whatever the agent reports while the user reads it', async () => {
  const path = '/w/a.txt';
  const edits = (after: string): ExternalCall['edits'] => [{ path, before: 'a\n', after }];
  const own = new ExternalToolCall({ id: '1', deed: 'edit', edits: edits('b\n') }, 'linux');
  const { heard, allow } = await ask(own);
  own.merge({ id: '1', edits: edits('rm -rf\n'), status: 'done' });
  await allow();
  expect(heard.map(shown => shown?.call.facts.edits)).toEqual([edits('b\n')]);
});

it('an edit of several files shows what it does to each', async () => {
  const edits = ['a', 'b'].map(name => ({ path: `/w/${name}.txt`, before: 'one\n', after: `${name}\n` }));
  const { prepared } = await ask(
    new ExternalToolCall({ id: '1', deed: 'edit', title: 'Edit files', edits }, 'linux'),
  );
  const { detail } = prepared.subject as { readonly detail: string };
  expect(detail).toMatch(
    /^Edit files\n[\s\S]*\/w\/a\.txt[\s\S]*-one\n\+a\n[\s\S]*\/w\/b\.txt[\s\S]*-one\n\+b$/,
  );
});

it('a command is shown and ruled with its arguments and its folder', async () => {
  const { prepared } = await ask(run({ command: 'git', args: ['push', '--force'], cwd: '/other' }));
  const command = { kind: 'command', command: 'git push --force', cwd: '/other' };
  expect(prepared.subject).toEqual({ ...command, background: false });
  expect(prepared.target).toEqual(command);
});

it('a command whose arguments cannot be read is no command that a rule knows', async () => {
  const { prepared } = await ask(run({ command: 'git', args: { force: true } }));
  expect(prepared.target).toEqual({ kind: 'mcp', server: 'agent:a', tool: 'run' });
});

it('an ask that comes after the turn is refused, rather than left open', async () => {
  const place = {
    agent: 'a',
    tools: { platform: 'linux' },
    folders: ['/w'],
  } as unknown as ExternalTurnContext;
  const turn = new ExternalTurn({ ...place, transcript: { emit: () => {} } as never }, AbortSignal.any([]));
  await turn.end();
  await expect(turn.ask({ id: '1', deed: 'run' }, options)).rejects.toThrow('No turn runs.');
});
