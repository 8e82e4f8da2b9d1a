import { readFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { readFileSettings, SettingsError } from '../../src/extension/node/settings/fileSettings.ts';
import {
  defaultSettings,
  reviewRequiredSettings,
  type SettingValues,
  userOnlySettings,
} from '../../src/extension/platform/settings.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const manifest = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
const sections: readonly { readonly properties: object }[] = JSON.parse(manifest).contributes.configuration;
const properties = Object.assign({}, ...sections.map(section => section.properties));

describe('settings from files', () => {
  let root: string;
  let homeFile: string;
  let settingsFile: string;
  let warnings: string[];
  const warn = (message: string) => void warnings.push(message);
  beforeEach(async () => {
    root = await temporaryFolder('folio-settings-');
    homeFile = join(root, 'home.json');
    settingsFile = join(root, 'asked.json');
    warnings = [];
  });

  const readHome = async (text: string) => {
    await writeFile(homeFile, text);
    return await readFileSettings({ homeFile, warn });
  };

  test('a file of which nothing counts is told of, one wrong value is not', async () => {
    const onUnusable = vi.fn();
    await writeFile(homeFile, '{"model":{"maxSessionTurns":"many"}}');
    await readFileSettings({ homeFile, warn, onUnusable });
    expect(onUnusable).not.toHaveBeenCalled();
    await writeFile(homeFile, '{\n  "model": { "name": "m-1"\n');
    const settings = await readFileSettings({ homeFile, warn, onUnusable });
    expect(onUnusable).toHaveBeenCalledOnce();
    expect(settings.get('model')).toBe(defaultSettings.model);
    expect(warnings.at(-1)).toMatch(/is not valid JSON at line \d+, column \d+\. The defaults are used\.$/);
  });

  test('without files the defaults hold', async () => {
    const settings = await readFileSettings({ homeFile, warn });
    for (const name of Object.keys(defaultSettings) as (keyof SettingValues)[]) {
      expect(settings.get(name)).toEqual(defaultSettings[name]);
    }
    expect(warnings).toEqual([]);
  });

  test('keys of the compatible file set ours', async () => {
    const settings = await readHome(
      JSON.stringify({
        model: { name: 'm-1', maxSessionTurns: 7 },
        general: { defaultApprovalMode: 'auto_edit', maxAttempts: 3 },
        tools: { shell: { inactivityTimeout: 0 }, truncateToolOutputThreshold: 1000 },
        unknown: { key: true },
      }),
    );
    expect(settings.get('model')).toBe('m-1');
    expect(settings.get('maxSteps')).toBe(7);
    expect(settings.get('approvalMode')).toBe('autoEdit');
    expect(settings.get('maxAttempts')).toBe(3);
    expect(settings.get('shellInactivityTimeout')).toBe(0);
    expect(settings.get('toolOutputLimit')).toBe(1000);
    expect(warnings).toEqual([]);
  });

  test('names of memory files are one or many, and never paths', async () => {
    expect((await readHome('{"context":{"fileName":"A.md"}}')).get('contextFileNames')).toEqual(['A.md']);
    const both = '{"context.fileName":["A.md","B.md"],"folio.contextFileNames":["C.md"]}';
    expect((await readHome(both)).get('contextFileNames')).toEqual(['C.md']);
    expect(warnings).toEqual([]);
    for (const name of ['"../A.md"', '"/A.md"', '".."', '""', '["a\\\\b"]', '3']) {
      const settings = await readHome(`{"context":{"fileName":${name}}}`);
      expect(settings.get('contextFileNames'), name).toEqual(defaultSettings.contextFileNames);
    }
    expect(warnings).toHaveLength(6);
  });

  test('folders of memory count when the compatible file says that they hold some, and ours always', async () => {
    const folders = async (context: unknown, own?: unknown) => {
      const settings = await readHome(JSON.stringify({ context, 'folio.memoryFolders': own }));
      return settings.get('memoryFolders');
    };
    expect(await folders({ includeDirectories: ['../a'] })).toEqual([]);
    const both = { includeDirectories: ['../a'], loadMemoryFromIncludeDirectories: true };
    expect(await folders(both)).toEqual(['../a']);
    expect(await folders(both, ['~/b'])).toEqual(['~/b']);
    const dotted = '{"context.includeDirectories":["c"],"context.loadMemoryFromIncludeDirectories":true}';
    expect((await readHome(dotted)).get('memoryFolders')).toEqual(['c']);
    expect(warnings).toEqual([]);
    expect(await folders({ includeDirectories: '../a', loadMemoryFromIncludeDirectories: 1 })).toEqual([]);
    expect(await folders({}, ['', 'a'])).toEqual([]);
    expect(warnings).toHaveLength(3);
  });

  test('a model given as a bare name counts, and no limit on turns keeps ours', async () => {
    expect((await readHome('{"model":"m-2"}')).get('model')).toBe('m-2');
    const unlimited = await readHome('{"model":{"maxSessionTurns":-1}}');
    expect(unlimited.get('maxSteps')).toBe(defaultSettings.maxSteps);
    expect(unlimited.get('model')).toBe(defaultSettings.model);
    expect(warnings).toEqual([]);
  });

  test('our own keys go before compatible ones, nested or dotted, flags before all', async () => {
    await writeFile(homeFile, '{"model":{"name":"a"},"folio.model":"b","folio":{"maxSteps":5}}');
    await writeFile(settingsFile, '{"folio":{"maxSteps":6,"promptWithout":["git"]}}');
    const sources = { homeFile, settingsFile, warn };
    const settings = await readFileSettings({ ...sources, overrides: { approvalMode: 'yolo' } });
    expect(settings.get('model')).toBe('b');
    expect(settings.get('maxSteps')).toBe(6);
    expect(settings.get('promptWithout')).toEqual(['git']);
    expect(settings.get('approvalMode')).toBe('yolo');
  });

  describe.skipIf(process.platform === 'win32')('the file of an organisation', () => {
    async function put(text = '{"folio":{"sandbox":"on"}}', mode = 0o644): Promise<string> {
      const path = join(root, 'managed.json');
      await writeFile(path, text);
      await chmod(path, mode);
      return path;
    }

    test.skipIf(process.getuid?.() !== 0)('goes before the user, the workspace and the run', async () => {
      await writeFile(homeFile, '{"folio":{"sandbox":"ask"}}');
      const managedFile = await put();
      await writeFile(settingsFile, '{"folio":{"sandbox":"ask","maxSteps":6}}');
      const sources = { homeFile, settingsFile, managedFile, warn };
      const settings = await readFileSettings({ ...sources, overrides: { sandbox: 'ask' } });
      settings.setWorkspace({ sandbox: 'ask' });
      expect(settings.get('sandbox')).toBe('on');
      expect(settings.get('maxSteps')).toBe(6);
      expect(settings.managedNames).toEqual(['sandbox']);
    });

    test.each([
      [0o666, '{}', 'do not count: others than the administrator may write it'],
      [0o644, '{"folio":{"sandbox":"maybe"}}', 'sandbox'],
      [0o644, '{"a":}', 'is not valid JSON'],
      [0o644, '{"folio":{"allowedModes":"plan"}}', '"folio.allowedModes" must be a list'],
      [0o644, '{"folio":{"allowedProviders":["antropic"]}}', '"folio.allowedProviders" must be a list'],
      [0o644, '{"folio.allowedServers":[{"name":"a"}]}', '"folio.allowedServers" must be a list'],
      [0o644, '{"folio":{"alowedModel":["a"]}}', 'Did you mean "folio.allowedModels"?'],
    ])('with the mode %o and the text %s keeps Folio from working', async (mode, text, why) => {
      const reading = readFileSettings({ managedFile: await put(text, mode), warn });
      await expect(reading).rejects.toThrow(process.getuid?.() === 0 ? why : 'do not count');
    });

    test.skipIf(process.getuid?.() !== 0)('alone says what may be chosen', async () => {
      const text = '{"folio":{"allowedModes":["default"],"allowedModels":["a-*"]}}';
      await writeFile(homeFile, text);
      expect((await readFileSettings({ homeFile, warn })).restrictions).toBeUndefined();
      await writeFile(homeFile, '{"folio":{"allowedModels":["*"]}}');
      const managed = await readFileSettings({ homeFile, managedFile: await put(text), warn });
      expect(managed.managedNames).toEqual(['allowedModels', 'allowedModes']);
      expect(managed.restrictions?.modes).toEqual(['default']);
      expect(managed.restrictions?.refuseModel('gemini', 'b-1')).toContain('b-1');
    });

    test('need not be there', async () => {
      const managedFile = join(root, 'none.json');
      expect((await readFileSettings({ managedFile, warn })).managedNames).toEqual([]);
    });
  });

  test('comments, trailing commas and a byte-order mark are tolerated', async () => {
    const text = '\uFEFF{\n// a "comment"\n"model": {"name": "http://x//y", /* why */},\n}';
    expect((await readHome(text)).get('model')).toBe('http://x//y');
    expect(warnings).toEqual([]);
  });

  test('a broken home file is told once with its place, and the defaults hold', async () => {
    const settings = await readHome('{\n  "model": oops\n}');
    expect(settings.get('model')).toBe(defaultSettings.model);
    expect(warnings).toEqual([
      `The settings file ${homeFile} is not valid JSON at line 2, column 12. The defaults are used.`,
    ]);
  });

  test('a value of the wrong kind is told and the others still count', async () => {
    const settings = await readHome(
      '{"general":{"maxAttempts":"many","defaultApprovalMode":"yolo"},"model":"m"}',
    );
    expect(settings.get('model')).toBe('m');
    expect(settings.get('maxAttempts')).toBe(defaultSettings.maxAttempts);
    expect(settings.get('approvalMode')).toBe('default');
    expect(warnings).toHaveLength(2);
    expect(warnings.join()).toContain('"general.maxAttempts" must be a whole number from 1.');
  });

  test('problem in the file that was asked for is an error with one sentence', async () => {
    const read = async (text: string) => {
      await writeFile(settingsFile, text);
      return await readFileSettings({ settingsFile, warn });
    };
    const missing = readFileSettings({ settingsFile: join(root, 'none.json'), warn });
    await expect(missing).rejects.toThrow(SettingsError);
    await expect(read('{"a":}')).rejects.toThrow(`${settingsFile} is not valid JSON at line 1, column 6.`);
    await expect(read('[1]')).rejects.toThrow('must hold one object');
    await expect(read('{"folio":{"maxSteps":0}}')).rejects.toThrow('"folio.maxSteps" must be');
    await expect(readFileSettings({ settingsFile: root, warn })).rejects.toThrow('it is a folder');
  });

  test('the workspace goes before the home file, and what was asked for before both', async () => {
    await writeFile(homeFile, '{"model":{"name":"home"},"folio":{"maxSteps":3}}');
    const settings = await readFileSettings({ homeFile, overrides: { maxAttempts: 2 }, warn });
    let reported = 0;
    settings.onDidChange(() => reported++);
    settings.setWorkspace({ model: 'theirs', maxAttempts: 9 });
    settings.setWorkspace({ model: 'theirs', maxAttempts: 8 });
    expect(
      ['model', 'maxSteps', 'maxAttempts'].map(name => settings.get(name as keyof SettingValues)),
    ).toEqual(['theirs', 3, 2]);
    expect(reported).toBe(1);
    settings.setWorkspace({});
    expect(settings.get('model')).toBe('home');
  });

  test('folders to leave out are names without patterns', async () => {
    const named = await readHome('{"folio":{"ignoredFolders":["vendor"]}}');
    expect(named.get('ignoredFolders')).toEqual(['vendor']);
    await readHome('{"folio":{"ignoredFolders":["*.tmp"]}}');
    expect(warnings[0]).toContain(
      'must be a list of names of folders, without patterns. The default is used.',
    );
  });

  test('what only the user sets is what VS Code takes from their own settings alone', () => {
    const ours = (Object.keys(defaultSettings) as (keyof SettingValues)[]).filter(
      name => properties[`folio.${name}`].scope === 'application',
    );
    // VS Code has no scope for a setting of which a workspace may add names that are said to have no say.
    expect([...userOnlySettings, ...reviewRequiredSettings].sort()).toEqual([...ours, 'disabled'].sort());
  });
});
