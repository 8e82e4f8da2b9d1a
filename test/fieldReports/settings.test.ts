import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readDisabledNames } from '../../src/extension/core/customizations/disabledNames.ts';
import { AllowedSources } from '../../src/extension/node/customizations/allowedSources.ts';
import type { CustomFile } from '../../src/extension/platform/customizations/customFiles.ts';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { eventsOf } from '../support/headlessProgram.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import type { WorldCase } from './report.ts';

interface SettingsCase extends WorldCase {
  readonly settings: object;
  /** Outcomes of write_file, of a command that writes and of one that reads, in the mode that allows all. */
  readonly outcomes: readonly ('ok' | 'denied')[];
  /** Part of what is reported. */
  readonly report: string;
}

const cases: readonly SettingsCase[] = [
  {
    title: 'a text for the list of excluded tools',
    source: 'report',
    settings: { tools: { exclude: 'write_file' } },
    outcomes: ['denied', 'ok', 'ok'],
    report: '"tools.exclude" is a string. Folio reads it as a list with this one name.',
  },
  {
    title: 'a text under the older name',
    source: 'report',
    settings: { excludeTools: 'write_file' },
    outcomes: ['denied', 'ok', 'ok'],
    report: 'Folio reads it as a list with this one name',
  },
  {
    title: 'an object for the list',
    source: 'trial',
    settings: { tools: { exclude: { write_file: true } } },
    outcomes: ['denied', 'denied', 'denied'],
    report: 'its "tools.exclude" must be a list of names',
  },
  {
    title: 'a text for the only tools',
    source: 'report',
    settings: { tools: { core: 'read_file' } },
    outcomes: ['denied', 'denied', 'denied'],
    report: 'Folio reads it as a list with this one name',
  },
  {
    title: 'a text for the tools to confirm',
    source: 'report',
    settings: { tools: { confirmationRequired: 'Bash' } },
    outcomes: ['ok', 'denied', 'denied'],
    report: 'Folio reads it as a list with this one name',
  },
  {
    title: 'a slip in the name of a list',
    source: 'trial',
    settings: { tools: { exclud: ['write_file'] } },
    outcomes: ['ok', 'ok', 'ok'],
    report: 'Unknown setting "tools.exclud". It is ignored. Did you mean "tools.exclude"?',
  },
  {
    title: 'a slip in the name of a guard',
    source: 'trial',
    settings: { security: { disableYolloMode: true } },
    outcomes: ['ok', 'ok', 'ok'],
    report: 'Did you mean "security.disableYoloMode"?',
  },
  {
    title: 'variables to hide from commands',
    source: 'report',
    settings: { security: { environmentVariableRedaction: { enabled: true, blocked: ['COMPANY_ID'] } } },
    outcomes: ['ok', 'denied', 'denied'],
    report:
      'security.environmentVariableRedaction.blocked: Folio hides variables from commands only in the sandbox',
  },
  {
    title: 'a file of rules beside the settings',
    source: 'report',
    settings: { policyPaths: ['rules/team.toml'] },
    outcomes: ['denied', 'ok', 'ok'],
    report: '',
  },
  {
    title: 'a folder of rules in the home folder',
    source: 'report',
    settings: { policyPaths: '~/.gemini/rules' },
    outcomes: ['denied', 'ok', 'ok'],
    report: '',
  },
  {
    title: 'a file of rules that is not there',
    source: 'trial',
    settings: { policyPaths: ['rules/none.toml'] },
    outcomes: ['denied', 'denied', 'denied'],
    report: 'it does not exist. Until you correct it, Folio asks before every action.',
  },
];

describe('settings that protect', () => {
  const world = eachTest(() => HeadlessWorld.make());
  let gemini: string;
  let env: Readonly<Record<string, string>>;
  beforeEach(async () => {
    const home = join(world.folder, 'home');
    env = { HOME: home, USERPROFILE: home };
    gemini = join(home, '.gemini');
    await mkdir(join(gemini, 'rules'), { recursive: true });
    const rule = '[[rule]]\ntoolName = "write_file"\ndecision = "deny"\npriority = 1\n';
    await writeFile(join(gemini, 'rules', 'team.toml'), rule);
  });

  it.each(cases)('$title', async ({ settings, outcomes, report }) => {
    await writeFile(join(gemini, 'settings.json'), JSON.stringify(settings));
    const command = (line: string) => call('run_shell_command', { command: line });
    const write = call('write_file', { file_path: 'b.txt', content: 'beta' });
    world.server.script([write], [command('touch c')], [command('ls')], [text('Done.')]);
    const args = ['--prompt', 'go', '--output-format', 'stream-json', '--approval-mode', 'yolo'];
    const { out, error, code } = await world.run(args, { env });
    expect(code, error).toBe(0);
    const ended = eventsOf(out).flatMap(event => (event.type === 'call.ended' ? [event.outcome] : []));
    // A tool that no rule lets through is not offered, so a call of it fails.
    expect(ended.map(outcome => (outcome === 'ok' ? 'ok' : 'denied'))).toEqual(outcomes);
    if (report === '') expect(error).toBe('');
    else expect(error).toContain(report);
  });

  it('allow no extension of a source that they do not list', async () => {
    const source = join(world.folder, 'extension');
    await mkdir(source);
    await writeFile(join(source, 'gemini-extension.json'), '{"name": "tide", "version": "1.0.0"}');
    await writeFile(
      join(gemini, 'settings.json'),
      JSON.stringify({ security: { allowedExtensions: ['^https://example[.]com/'] } }),
    );
    const { error, out } = await world.run(['--prompt', `/extensions install ${source} --yes`], { env });
    expect(out + error).toContain('Your settings do not allow extensions from this source');
  });
});

interface SwitchCase extends WorldCase {
  readonly settings: object;
  readonly off: readonly string[];
}

const switches: readonly SwitchCase[] = [
  { title: 'skills', source: 'report', settings: { skills: { enabled: false } }, off: ['skill'] },
  { title: 'skills, as a text', source: 'trial', settings: { skills: { enabled: 'false' } }, off: ['skill'] },
  {
    title: 'skills, by an administrator',
    source: 'report',
    settings: { admin: { skills: { enabled: false } } },
    off: ['skill'],
  },
  { title: 'servers', source: 'report', settings: { admin: { mcp: { enabled: false } } }, off: ['server'] },
  {
    title: 'extensions',
    source: 'report',
    settings: { admin: { extensions: { enabled: false } } },
    off: ['extension'],
  },
  {
    title: 'agents',
    source: 'report',
    settings: { experimental: { enableAgents: false } },
    off: ['agent', 'built-in'],
  },
  { title: 'nothing', source: 'trial', settings: { skills: { enabled: true } }, off: [] },
];

describe('a switch of a whole kind', () => {
  const items = {
    skill: { kind: 'skill', name: 'dive', origin: { kind: 'person' } },
    server: { kind: 'server', name: 'git', origin: { kind: 'person' } },
    agent: { kind: 'agent', name: 'scout', origin: { kind: 'person' } },
    command: { kind: 'command', name: 'go', origin: { kind: 'person' } },
    extension: { kind: 'command', name: 'sail', origin: { kind: 'extension', name: 'tide', folder: '/x' } },
  } as const;

  it.each(switches)('of $title', async ({ settings, off }) => {
    const file = {
      kind: 'settings',
      path: '/s.json',
      origin: { kind: 'person' },
      content: settings,
    } as never;
    const found = readDisabledNames([file as CustomFile]);
    for (const [name, item] of Object.entries(items))
      expect(await found.has(item as never), name).toBe(off.includes(name));
    expect(found.agents.has('codebase_investigator')).toBe(off.includes('built-in'));
  });
});

describe('sources of extensions', () => {
  const git = { type: 'git', source: 'https://example.com/a.git' } as const;
  const local = { type: 'local', source: '/home/x/a' } as const;
  it.each([
    [{}, [true, true, true]],
    [{ blockGitExtensions: true }, [false, true, true]],
    [{ allowedExtensions: ['^https://example[.]com/'] }, [true, false, false]],
    [{ allowedExtensions: ['^https://example[.]com/'], blockGitExtensions: true }, [true, false, false]],
    [{ allowedExtensions: '/home/' }, [false, true, false]],
    [{ allowedExtensions: [] }, [true, true, true]],
    [{ allowedExtensions: ['('] }, [false, false, false]],
    [{ allowedExtensions: 7 }, [false, false, false]],
  ])('with %j, one of Git, a local one and one of unknown source: %j', (security, expected) => {
    const allowed = new AllowedSources({ security });
    expect([git, local, undefined].map(note => allowed.allowsInstalled(note))).toEqual(expected);
  });
});
