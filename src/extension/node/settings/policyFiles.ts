import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { errorCode, LocalizedError, messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/record.ts';
import { editDistance } from '../../base/similarity.ts';
import {
  type PolicyFile,
  type PolicyFiles,
  type PolicySources,
  type PolicyTier,
  protectiveKeys,
  strictSettingKeys,
  type ToolSettings,
  toolLists,
} from '../../platform/customizations/policyFiles.ts';
import { findSettingValue, findSettingWithOlderName, toList } from '../../platform/findSetting.ts';
import type { SettingsDocuments } from '../../platform/settingsDocuments.ts';
import { writeAtomically } from '../files/atomicWrite.ts';
import { isMissing } from '../files/fileErrors.ts';
import { takeLock } from '../files/fileLock.ts';
import { UnusableFileError } from '../files/readBounded.ts';
import { isAdministratorsFolder } from './managedSettings.ts';

/** Files and folders that may contain rules. */
export interface PolicyLocations {
  /** Absolute path of the user's home folder. */
  readonly home: string;
  /** Absolute workspace folders. */
  readonly folders: () => readonly string[];
  /** Absolute paths of files on the command line, with the rank of the user's own. */
  readonly files?: readonly string[];
  /** Absolute path of the settings file on the command line, used besides the user's own. */
  readonly settingsFile?: string;
  /** Absolute folders of enabled extensions. */
  readonly extensions?: () => readonly string[];
  /** Absolute paths, used only if nobody but the administrator can write there. */
  readonly adminFolders?: readonly string[];
}

type PolicyProblem = PolicySources['problems'][number];

/** Reads rules from TOML files, and the keys about tools in settings files. */
export class NodePolicyFiles implements PolicyFiles {
  private readonly places: PolicyLocations;
  private readonly documents: SettingsDocuments;
  readonly alwaysFile: string;

  constructor(places: PolicyLocations, documents: SettingsDocuments) {
    this.places = places;
    this.documents = documents;
    this.alwaysFile = join(places.home, '.folio', 'policies', 'always.toml');
  }

  async read(trusted: boolean): Promise<PolicySources> {
    const { home, files = [], adminFolders = systemFolders(), extensions } = this.places;
    const workspaces = trusted ? this.places.folders() : [];
    const problems: PolicyProblem[] = [];
    const take = async (tier: PolicyTier, paths: readonly string[]) => {
      const texts = await Promise.all(paths.map(path => readText(path, tier, problems)));
      return paths.flatMap((path, at): PolicyFile[] => {
        const text = texts[at];
        return text === undefined ? [] : [{ path, tier, text }];
      });
    };
    const takeFolder = async (tier: PolicyTier, folder: string) =>
      take(tier, await listRules(folder, tier, problems));
    const settings = this.readAllSettings(workspaces, problems);
    // In parallel, because each prompt waits for them. The order is their precedence.
    const found = await Promise.all([
      ...adminFolders.map(async folder =>
        (await isAdministratorsFolder(folder)) ? takeFolder('admin', folder) : [],
      ),
      take('user', files),
      settings.then(all => this.takeNamed(all, take, problems)),
      ...policyFolders(home).map(folder => takeFolder('user', folder)),
      ...workspaces.flatMap(policyFolders).map(folder => takeFolder('workspace', folder)),
      ...(extensions?.() ?? []).map(folder => takeFolder('extension', join(folder, 'policies'))),
    ]);
    const read = (await settings).map(each => toolSettings(each, problems));
    problems.sort((one, other) => (one.path < other.path ? -1 : 1));
    return { files: found.flat(), settings: read.filter(each => each !== undefined), problems };
  }

  private async takeNamed(
    settings: readonly ReadSettings[],
    take: (tier: PolicyTier, paths: readonly string[]) => Promise<PolicyFile[]>,
    problems: PolicyProblem[],
  ): Promise<PolicyFile[]> {
    const taken = settings.map(async ({ tier, path, content }) =>
      take(tier, await listNamed(content, dirname(path), this.places.home, tier, problems)),
    );
    return (await Promise.all(taken)).flat();
  }

  async change(turn: (text: string) => string | Promise<string>): Promise<void> {
    const path = this.alwaysFile;
    await mkdir(dirname(path), { recursive: true });
    const lock = await takeLock(`${path}.lock`, 'everybody');
    const check = async () => {
      if (!lock || lock.isLost)
        throw new LocalizedError(() => t('Another window is changing {0}. Try again.', path));
    };
    await check();
    try {
      const before = await readFile(path, 'utf8').catch(error => {
        if (isMissing(error)) return '';
        throw error;
      });
      const after = await turn(before);
      if (after !== before)
        await writeAtomically(path, new TextEncoder().encode(after), { mode: 0o600, check });
    } finally {
      await lock?.release();
    }
  }

  private async readAllSettings(
    workspaces: readonly string[],
    problems: PolicyProblem[],
  ): Promise<readonly ReadSettings[]> {
    const { home, settingsFile } = this.places;
    const read = await Promise.all([
      this.readSettings(join(home, '.gemini', 'settings.json'), 'user', problems),
      ...(settingsFile === undefined ? [] : [this.readSettings(settingsFile, 'user', problems)]),
      ...workspaces.map(folder =>
        this.readSettings(join(folder, '.gemini', 'settings.json'), 'workspace', problems),
      ),
    ]);
    return read.filter(each => each !== undefined);
  }

  private async readSettings(
    path: string,
    tier: ToolSettings['tier'],
    problems: PolicyProblem[],
  ): Promise<ReadSettings | undefined> {
    const document = await this.documents.read(path);
    switch (document?.status) {
      case undefined:
        return undefined;
      case 'parsed':
        return { path, tier, content: document.content };
      case 'unreadable':
        problems.push({ tier, path, sentence: whyUnread(document.error) });
        return undefined;
      case 'damaged':
        // Ignores settings that do not mention tools. A damaged file that does may protect something.
        if (
          /exclude|core|confirmationRequired|sandbox|disableYolo|disableAlways|policyPaths/i.test(
            document.text,
          )
        )
          problems.push({ tier, path, sentence: t('it is not valid JSON') });
        return undefined;
    }
  }
}

interface ReadSettings {
  readonly path: string;
  readonly tier: ToolSettings['tier'];
  readonly content: unknown;
}

/** Rule files and folders that settings name: absolute, in the home folder, or relative to the settings. */
async function listNamed(
  content: unknown,
  base: string,
  home: string,
  tier: PolicyTier,
  problems: PolicyProblem[],
): Promise<readonly string[]> {
  const named = ['policyPaths', 'adminPolicyPaths'].flatMap(
    key => textsOf(findSettingValue(content, key)) ?? [],
  );
  const found = named.map(async name => {
    const path = resolve(
      base,
      name.replace(/^~(?=[\\/]|$)/, () => home),
    );
    const isFolder = await stat(path).then(
      each => each.isDirectory(),
      () => false,
    );
    return isFolder ? listRules(path, tier, problems) : [path];
  });
  return (await Promise.all(found)).flat();
}

function policyFolders(folder: string): readonly string[] {
  return ['.folio', '.gemini'].map(name => join(folder, name, 'policies'));
}

/** Folders for an administrator's rules. None on Windows, where we cannot tell who may write. */
function systemFolders(): readonly string[] {
  if (process.platform === 'win32') return [];
  if (process.platform === 'darwin') {
    const support = '/Library/Application Support';
    return [`${support}/Folio/policies`, `${support}/GeminiCli/policies`];
  }
  return ['/etc/folio/policies', '/etc/gemini-cli/policies'];
}

/** Sorted by name, so that the order is stable. */
async function listRules(
  folder: string,
  tier: PolicyTier,
  problems: PolicyProblem[],
): Promise<readonly string[]> {
  try {
    const names = await readdir(folder);
    return names
      .filter(name => name.endsWith('.toml'))
      .sort()
      .map(name => join(folder, name));
  } catch (error) {
    if (!isMissing(error)) problems.push({ tier, path: folder, sentence: whyUnread(error) });
    return [];
  }
}

/** A longer file of rules is a mistake. */
const maxBytes = 1024 * 1024;

async function readText(
  path: string,
  tier: PolicyTier,
  problems: PolicyProblem[],
): Promise<string | undefined> {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new LocalizedError(() => t('it is not a file'));
    if (found.size > maxBytes) throw new LocalizedError(() => t('it is larger than 1 MB'));
    return (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    problems.push({ tier, path, sentence: whyUnread(error) });
    return undefined;
  }
}

function whyUnread(error: unknown): string {
  if (isMissing(error)) return t('it does not exist');
  if (error instanceof UnusableFileError) return t('it {0}', error.say());
  return errorCode(error) === 'EACCES' ? t('the system denies access') : messageOf(error);
}

/** An invalid value is ignored if it would allow, and denies everything if it would protect. */
function toolSettings(
  { content, path, tier }: ReadSettings,
  problems: PolicyProblem[],
): ToolSettings | undefined {
  const remarks: string[] = nearProtective(content);
  const read = Object.fromEntries(
    toolLists.flatMap(key => {
      const values = findSettingWithOlderName(content, `tools.${key}`).flatMap(value => {
        const texts = key === 'allowed' && !Array.isArray(value) ? undefined : textsOf(value);
        if (texts === undefined && key !== 'allowed')
          problems.push({ tier, path, sentence: t('its "tools.{0}" must be a list of names', key) });
        if (texts !== undefined && typeof value === 'string')
          remarks.push(t('"tools.{0}" is a string. Folio reads it as a list with this one name.', key));
        return texts === undefined ? [] : [texts];
      });
      // A tool excluded under either name is excluded.
      return values.length > 0 ? [[key, key === 'exclude' ? values.flat() : values[0]]] : [];
    }),
  );
  const wanted = strictSettingKeys.filter(key => isOn(findSettingValue(content, key)));
  if (Object.keys(read).length === 0 && wanted.length === 0 && remarks.length === 0) return undefined;
  return {
    path,
    tier,
    ...read,
    guards: wanted.length > 0 ? wanted : undefined,
    remarks: remarks.length > 0 ? remarks : undefined,
  };
}

/** Accepts a text as a list of one. Returns `undefined` for anything else. Drops list items that are no texts. */
function textsOf(value: unknown): readonly string[] | undefined {
  return toList(value)?.filter(item => typeof item === 'string');
}

/** One message for each key that resembles a protective one. */
function nearProtective(content: unknown): string[] {
  return keysOf(content, '', 3).flatMap(key => {
    const near = protectiveKeys.find(known => editDistance(key, known, 3) <= (known.length > 12 ? 2 : 1));
    const isSlip = near !== undefined && !protectiveKeys.includes(key);
    return isSlip ? [t('Unknown setting "{0}". It is ignored. Did you mean "{1}"?', key, near)] : [];
  });
}

function keysOf(value: unknown, prefix: string, depth: number): readonly string[] {
  if (!isRecord(value) || depth === 0) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const key = prefix === '' ? name : `${prefix}.${name}`;
    return [key, ...keysOf(inner, key, depth - 1)];
  });
}

/** `true`, the name of a sandbox type, or an object with options. */
function isOn(value: unknown): boolean {
  if (typeof value === 'string') return !['', 'false', '0', 'none'].includes(value.trim().toLowerCase());
  if (Array.isArray(value)) return value.length > 0;
  return isRecord(value) ? value.enabled !== false : value === true;
}
