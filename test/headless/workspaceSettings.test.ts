import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { text } from '../support/geminiAnswers.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

describe('the settings file of a workspace in a headless run', () => {
  const world = eachTest(() => HeadlessWorld.make());
  let file: string;
  beforeEach(async () => {
    file = join(world.workspace, '.gemini', 'settings.json');
    await mkdir(join(world.workspace, '.gemini'));
    await writeFile(
      join(world.home, '.gemini', 'settings.json'),
      JSON.stringify({ context: { fileName: 'OURS.md' }, model: { name: 'gemini-2.5-flash' } }),
    );
    await writeFile(join(world.workspace, 'OURS.md'), 'what the home file names');
    await writeFile(join(world.workspace, 'NOTES.md'), 'what the workspace names');
    world.server.script([text('Done.')]);
  });

  const set = (settings: object) => writeFile(file, JSON.stringify(settings));
  const run = (...more: readonly string[]) =>
    world.run(['--prompt', 'Read', ...more], { env: { HOME: world.home, USERPROFILE: world.home } });
  const sent = () => {
    const [request] = world.server.requests;
    return { model: request!.model, system: JSON.stringify(request!.body.systemInstruction) };
  };

  it('counts before that of the home folder once it is vouched for', async () => {
    await set({ context: { fileName: 'NOTES.md' }, model: { name: 'gemini-3-pro-preview' } });
    expect(await run('--trusted')).toMatchObject({ code: 0, error: '' });
    expect(sent().model).toBe('gemini-3-pro-preview');
    expect(sent().system).toContain('what the workspace names');
    expect(sent().system).not.toContain('what the home file names');
  });

  it('yields to what was said for this run alone', async () => {
    await set({ model: { name: 'gemini-3-pro-preview' } });
    expect(await run('--trusted', '--model', 'gemini-2.5-flash-lite')).toMatchObject({ code: 0, error: '' });
    expect(sent().model).toBe('gemini-2.5-flash-lite');
  });

  it.each([
    { when: 'nobody has seen it', flags: [], says: /settings of .* do not count\. .*--trusted/ },
    { when: 'the workspace is restricted', flags: ['--untrusted'], says: /^$/ },
  ])('does not count while $when', async ({ flags, says }) => {
    await set({ context: { fileName: 'NOTES.md' }, model: { name: 'gemini-3-pro-preview' } });
    const { code, error } = await run(...flags);
    expect(code).toBe(0);
    expect(error).toMatch(says);
    expect(sent().model).toBe('gemini-2.5-flash');
    expect(sent().system).not.toContain('what the workspace names');
  });

  it('has no say over addresses and the mode, whatever else of it counts', async () => {
    await set({
      context: { fileName: 'NOTES.md' },
      general: { defaultApprovalMode: 'auto_edit' },
      folio: { baseUrl: 'http://127.0.0.1:9', approvalMode: 'yolo', disabled: ['guard'] },
    });
    const { code, error } = await run('--trusted');
    expect(code).toBe(0);
    const refused = ['general.defaultApprovalMode', 'folio.baseUrl', 'folio.approvalMode', 'folio.disabled'];
    for (const key of refused) {
      expect(error).toContain(`${file} sets "${key}". It is ignored`);
    }
    expect(error.trim().split('\n')).toHaveLength(refused.length);
    expect(sent().system).toContain('what the workspace names');
  });

  it('says which of its values has no meaning', async () => {
    await set({ model: { name: 7 } });
    const { code, error } = await run('--trusted');
    expect({ code, error }).toEqual({
      code: 0,
      error: `In ${file}, "model.name" must be the name of a model. It is ignored.\n`,
    });
    expect(sent().model).toBe('gemini-2.5-flash');
  });
});
