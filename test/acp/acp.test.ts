import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Metafile } from 'esbuild';
import { describe, expect, it, test } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, finish, text, thought } from '../support/geminiAnswers.ts';
import { AcpWorld } from './support/acpWorld.ts';

const world = eachTest(() => AcpWorld.make());

test('the library of the protocol is in no code that a run without it loads', async () => {
  const path = resolve(import.meta.dirname, '../../dist/meta-headless.json');
  const { outputs }: Metafile = JSON.parse(await readFile(path, 'utf8'));
  const loaded = new Set(['dist/headless/headless.js']);
  for (const each of loaded) {
    const { imports } = outputs[each]!;
    for (const { kind, path: to, external } of imports)
      if (kind === 'import-statement' && !external) loaded.add(to);
  }
  const withLibrary = Object.entries(outputs).filter(([, { inputs }]) =>
    Object.keys(inputs).some(input => input.includes('@agentclientprotocol')),
  );
  expect(withLibrary).toHaveLength(1);
  expect(loaded).not.toContain(withLibrary[0]![0]);
});

describe('a client of the Agent Client Protocol', () => {
  it('begins a session, sends a prompt and hears what the agent thinks, says and does', async () => {
    await writeFile(join(world.workspace, 'notes.txt'), 'one\ntwo\n');
    const client = await world.start();
    expect(client.initialized).toMatchObject({
      protocolVersion: 1,
      agentCapabilities: { loadSession: true, promptCapabilities: { image: true, embeddedContext: true } },
      agentInfo: { name: 'folio', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
    });
    const sessionId = await client.newSession(world.workspace);
    world.server.script(
      [
        thought('Let me look.'),
        call('create_new_topic', { title: 'Looking', summary: 'Nothing yet.' }),
        call('read_file', { file_path: 'notes.txt', start_line: 2 }),
        call('write_todos', { todos: [{ description: 'Change it', status: 'in_progress' }] }),
      ],
      [call('replace', { file_path: 'notes.txt', instruction: 'x', old_string: 'two', new_string: 'three' })],
      [text('It says '), text('three.'), finish('STOP', { promptTokenCount: 900, candidatesTokenCount: 10 })],
    );
    const { stopReason } = await client.prompt(sessionId, 'Change the notes');
    expect(stopReason).toBe('end_turn');
    expect(await readFile(join(world.workspace, 'notes.txt'), 'utf8')).toBe('one\nthree\n');

    expect(client.said('agent_thought_chunk')).toBe('Let me look.');
    expect(client.said('agent_message_chunk')).toBe('It says three.');
    const calls = client.of('tool_call');
    expect(calls.map(({ title, kind }) => [kind, title])).toEqual([
      ['think', 'Chapter: Looking'],
      ['read', 'Read notes.txt from line 2'],
      ['think', 'Update the tasks'],
      ['edit', expect.stringContaining('notes.txt')],
    ]);
    expect(calls[1]!.locations).toEqual([{ path: join(world.workspace, 'notes.txt'), line: 2 }]);
    const diff = { type: 'diff', path: join(world.workspace, 'notes.txt') };
    const edited = client
      .of('tool_call_update')
      .filter(({ toolCallId }) => toolCallId === calls[3]!.toolCallId);
    expect(edited.at(-1)).toMatchObject({
      status: 'completed',
      content: [{ ...diff, oldText: 'one\ntwo\n', newText: 'one\nthree\n' }],
    });
    expect(client.of('plan').at(-1)?.entries).toMatchObject([
      {
        content: 'Looking',
        status: 'in_progress',
        _meta: { 'folio/chapter': { number: 1, title: 'Looking' } },
      },
      { content: 'Change it', status: 'in_progress' },
    ]);
    expect(client.of('usage_update').at(-1)).toMatchObject({ used: 910, size: expect.any(Number) });
    expect(client.of('session_info_update').at(-1)?.title).toBe('Change the notes');

    // The edit was asked about, with the panel's options, and the file as it would be.
    expect(client.asked).toHaveLength(1);
    expect(client.asked[0]).toMatchObject({
      toolCall: {
        toolCallId: calls[3]!.toolCallId,
        content: expect.arrayContaining([{ ...diff, oldText: 'one\ntwo\n', newText: 'one\nthree\n' }]),
      },
      options: expect.arrayContaining([
        { optionId: 'once', name: 'Accept', kind: 'allow_once' },
        { optionId: 'deny', name: 'Deny', kind: 'reject_once' },
      ]),
    });
    await client.end();
    expect(client.faults).toEqual([]);
  });
});
