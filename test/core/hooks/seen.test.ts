import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decideOnAll } from '../../support/consent.ts';
import { eachTest } from '../../support/eachTest.ts';
import { makeHookFolder, oneHook } from '../../support/hookWorld.ts';

describe('hooks that a workspace brings along', () => {
  const folder = eachTest(() => makeHookFolder());

  const runnable = async () =>
    (await folder.hooks.findRunnable('BeforeAgent', undefined)).map(({ command }) => command);
  const waiting = () => [...folder.consent.unseen.values()].map(({ detail }) => detail);

  it('wait until the user lets them run', async () => {
    let changes = 0;
    folder.consent.onDidChange(() => changes++);
    await folder.ofWorkspace(oneHook('BeforeAgent', 'one'));
    await folder.ofWorkspace(oneHook('UserPromptSubmit', 'two'), 'claude');
    await folder.ofUser(oneHook('BeforeAgent', 'mine'));
    expect(await runnable()).toEqual(['mine']);
    expect(waiting()).toEqual(['one', 'two']);
    await decideOnAll(folder.consent, 'allowed');
    expect(await runnable()).toEqual(['one', 'two', 'mine']);
    expect(waiting()).toEqual([]);
    expect(changes).toBe(3);
  });

  it('wait on when they came after the list that the user decided on', async () => {
    await folder.ofWorkspace(oneHook('BeforeAgent', 'one'));
    const shown = [...folder.consent.unseen.keys()];
    await folder.ofWorkspace(oneHook('BeforeAgent', 'two'), 'claude');
    await folder.consent.decide('allowed', shown);
    expect([await runnable(), waiting()]).toEqual([['one'], ['two']]);
  });

  it('are shown with what the sandbox grants them, and wait again when that changes', async () => {
    const held = (sandbox: unknown) => ({
      hooks: { BeforeAgent: [{ hooks: [{ type: 'command', command: 'one', sandbox }] }] },
    });
    await folder.ofWorkspace(held({ hosts: ['a.example'], write: ['notes'] }));
    expect(waiting()).toEqual(['one · in the sandbox, writes notes, connects to a.example']);
    await decideOnAll(folder.consent, 'allowed');
    expect(await runnable()).toEqual(['one']);
    await folder.ofWorkspace(held(false));
    expect([await runnable(), waiting()]).toEqual([[], ['one']]);
    await folder.ofWorkspace(held('yes'));
    expect([await runnable(), waiting()]).toEqual([[], []]);
    expect(folder.reported.join()).toContain('sandbox is not valid (must be true, or an object');
  });

  it('stay off once refused, and may be let run later', async () => {
    await folder.ofWorkspace(oneHook('BeforeAgent', 'one'));
    await decideOnAll(folder.consent, 'refused');
    await folder.hooks.refresh();
    expect([await runnable(), waiting()]).toEqual([[], []]);
    expect((await folder.hooks.list()).map(({ state }) => state)).toEqual(['refused']);
  });

  it('wait again once the user wants to decide again on what they refused, and run when they are let', async () => {
    await folder.ofWorkspace(oneHook('BeforeAgent', 'one'));
    await folder.ofWorkspace(oneHook('BeforeAgent', 'two'), 'claude');
    await decideOnAll(folder.consent, 'refused');
    const [first] = await folder.hooks.list();
    let changes = 0;
    folder.consent.onDidChange(() => changes++);
    await folder.consent.reopen([first!.id!]);
    expect([await runnable(), waiting(), changes]).toEqual([[], ['one'], 1]);
    await folder.consent.decide('allowed', [...folder.consent.unseen.keys()]);
    await folder.hooks.refresh();
    expect([await runnable(), waiting()]).toEqual([['one'], []]);
    // And once more the other way round.
    await folder.consent.withdraw([first!.id!]);
    await folder.consent.reopen([first!.id!]);
    await decideOnAll(folder.consent, 'refused');
    expect([await runnable(), waiting()]).toEqual([[], []]);
  });

  it('stop running when the user withdraws what they had let, and stay off', async () => {
    await folder.ofWorkspace(oneHook('BeforeAgent', 'one'));
    await folder.ofUser(oneHook('BeforeAgent', 'mine'));
    await decideOnAll(folder.consent, 'allowed');
    const ids = (await folder.hooks.list()).flatMap(({ id }) => id ?? []);
    expect(ids).toHaveLength(1);
    await folder.consent.withdraw(ids);
    expect(await runnable()).toEqual(['mine']);
    await folder.hooks.refresh();
    expect([await runnable(), waiting()]).toEqual([['mine'], []]);
    expect((await folder.hooks.list()).map(({ state }) => state).sort()).toEqual(['enabled', 'refused']);
  });

  it('are not meant by what was said of them before they changed', async () => {
    await folder.ofWorkspace(oneHook('BeforeAgent', 'one'));
    await decideOnAll(folder.consent, 'refused');
    const [before] = await folder.hooks.list();
    await folder.ofWorkspace(oneHook('BeforeAgent', 'other'));
    await decideOnAll(folder.consent, 'refused');
    await folder.consent.reopen([before!.id!]);
    expect([await runnable(), waiting()]).toEqual([[], []]);
    expect((await folder.hooks.list()).map(({ state }) => state)).toEqual(['refused']);
  });

  it.each([
    ['another command', oneHook('BeforeAgent', 'other')],
    ['another environment', oneHook('BeforeAgent', 'one', { env: { A: 'b' } })],
    ['another matcher', oneHook('BeforeAgent', 'one', {}, 'x')],
    ['another event', oneHook('AfterAgent', 'one')],
  ])('wait again with %s', async (_what, changed) => {
    await folder.ofWorkspace(oneHook('BeforeAgent', 'one'));
    await decideOnAll(folder.consent, 'allowed');
    await folder.ofWorkspace(changed);
    expect(waiting()).toHaveLength(1);
    expect(await runnable()).toEqual([]);
  });

  it('wait again at once when a script of theirs changes', async () => {
    await mkdir(join(folder.workspace, 'scripts'));
    const script = join(folder.workspace, 'scripts', 'check.sh');
    await writeFile(script, 'echo fine');
    await folder.ofWorkspace(oneHook('BeforeAgent', 'sh "$GEMINI_PROJECT_DIR/scripts/check.sh" --all'));
    await decideOnAll(folder.consent, 'allowed');
    expect(await runnable()).toHaveLength(1);
    await writeFile(script, 'rm -rf .');
    expect(await runnable()).toEqual([]);
    expect(waiting()).toHaveLength(1);
  });

  it('are not even read without trust, and do not run once it has gone', async () => {
    folder.setTrusted(false);
    await folder.ofWorkspace(oneHook('BeforeAgent', 'one'));
    expect([await folder.hooks.list(), waiting()]).toEqual([[], []]);
    folder.setTrusted(true);
    await folder.hooks.refresh();
    await decideOnAll(folder.consent, 'allowed');
    expect(await runnable()).toEqual(['one']);
    folder.setTrusted(false);
    expect(await runnable()).toEqual([]);
  });

  it('cannot switch off those of the user', async () => {
    await folder.ofUser(oneHook('BeforeAgent', 'mine'));
    await folder.ofWorkspace({ hooksConfig: { enabled: false, disabled: ['mine'] } });
    expect(await runnable()).toEqual(['mine']);
    await folder.ofUser({ ...(oneHook('BeforeAgent', 'mine') as object), hooksConfig: { enabled: false } });
    await folder.ofWorkspace(oneHook('BeforeAgent', 'one'));
    expect([await runnable(), waiting()]).toEqual([[], []]);
  });

  it('may stand in a file that is not valid: that is said once, the others count', async () => {
    await folder.ofUser(oneHook('BeforeAgent', 'mine'));
    await folder.ofWorkspace('{ "hooks": { ');
    await folder.hooks.refresh();
    expect(await runnable()).toEqual(['mine']);
    expect(folder.reported).toHaveLength(1);
    expect(folder.reported[0]).toMatch(
      /^The hooks of .*settings\.json cannot be read \(.*\)\. None of them runs\.$/,
    );
  });

  it('may stand in a file with comments', async () => {
    await folder.ofUser(
      '{ // mine\n "hooks": { "BeforeAgent": [ { "hooks": [ { "type": "command", "command": "mine", } ] } ] } }',
    );
    expect(await runnable()).toEqual(['mine']);
  });
});
