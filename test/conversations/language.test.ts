import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { pseudo } from '../../scripts/l10n/pseudo.ts';
import { readCatalog } from '../../scripts/l10n/readCatalog.ts';
import type { UndecidedCommand } from '../../src/extension/core/policy/commandClassifier.ts';
import { inEnglish, setLanguage } from '../../src/protocol/language.ts';
import { playConversation } from '../support/conversation.ts';
import { PolicyWorld, reasonOf } from '../support/policyWorld.ts';

const folder = import.meta.dirname;

describe('a model reads the same whatever language the user has', () => {
  let catalog: Readonly<Record<string, string>>;

  beforeAll(async () => {
    const messages = Object.values(await readCatalog('l10n/bundle.l10n.json'));
    catalog = Object.fromEntries(messages.map(message => [message, pseudo(message)]));
  });

  afterEach(() => setLanguage({ tag: 'en', catalog: {} }));

  for (const name of readdirSync(folder).filter(entry => entry.endsWith('.golden'))) {
    it(name.replace(/\.golden$/, '').replaceAll('-', ' '), async () => {
      const golden = readFileSync(join(folder, name), 'utf8');
      setLanguage({ tag: 'en', catalog });
      const played = await playConversation(golden);
      expect(forModels(played)).toEqual(forModels(golden));
    });
  }

  it('also of commands that a small model classifies, whose reasons the user reads in their language', async () => {
    setLanguage({ tag: 'en', catalog });
    const world = await PolicyWorld.make();
    onTestFinished(() => world.dispose());
    const heard: UndecidedCommand[] = [];
    const verdict = await world.policy.classify({
      tool: 'run_shell_command',
      effect: 'run',
      mode: 'default',
      args: { command: 'npm test' },
      target: { kind: 'command', command: 'npm test', cwd: world.workspace },
      hear: async open => void heard.push(open),
    });
    const reason = 'npm can run project scripts or change installed packages.';
    expect(heard.flatMap(({ commands }) => commands.map(each => each.reason))).toEqual([reason]);
    const said = pseudo(reason.replace('npm', '{0}')).replace('{0}', 'npm');
    expect(verdict).toMatchObject({ kind: 'ask', commands: [{ reason: said }] });
    expect(reasonOf(verdict)).toBe(said);
  });

  it('also why a call is denied, which its card says in the language of the user', async () => {
    setLanguage({ tag: 'en', catalog });
    const world = await PolicyWorld.make();
    onTestFinished(() => world.dispose());
    const denied = await Promise.all([world.edit('.git/config'), world.run('sh -c "$(cat a)"')]);
    const reasons = denied.flatMap(verdict => (verdict.kind === 'deny' ? [verdict.reason] : []));
    expect(reasons.map(say => inEnglish(say))).toEqual([
      '.git/config is closed. Only git may change files in .git.',
      expect.stringMatching(/^sh would run the output of another command, which Folio cannot check/),
    ]);
    expect(reasons.map(say => say())).toEqual([
      expect.stringMatching(/^\[\.git\/config ïs clöséd\. \[Only gït/),
      expect.stringMatching(/^\[sh wöüld/),
    ]);
  });

  it('and what the user reads in them does change', async () => {
    const golden = readFileSync(join(folder, 'a-plan-that-is-sent-back-leaves-plan-mode-on.golden'), 'utf8');
    setLanguage({ tag: 'en', catalog });
    expect(await playConversation(golden)).not.toBe(golden);
  });
});

/** What goes into histories, and the newest request whole. */
function forModels(conversation: string): readonly string[] {
  const lines = conversation.slice(conversation.indexOf('=== events')).split('\n');
  const last = lines.indexOf('=== last request');
  return [...lines.filter(line => /^\d+ message\.added /.test(line)), ...(last < 0 ? [] : lines.slice(last))];
}
