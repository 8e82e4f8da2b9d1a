import { readFile } from 'node:fs/promises';
import { inEnglish } from '../../../protocol/language.ts';
import { canonicalJson } from '../../base/canonicalJson.ts';
import { Emitter } from '../../base/emitter.ts';
import { errorCode, messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/record.ts';
import { findValue, toList } from '../../platform/findSetting.ts';
import type { Restrictions } from '../../platform/managed/restrictions.ts';
import type { ParsedSettings } from '../../platform/settingFiles/settingKeys.ts';
import { defaultSettings, type Settings, type SettingValues } from '../../platform/settings.ts';
import { isMissing } from '../files/fileErrors.ts';
import { parseTolerantly } from '../files/tolerantJson.ts';

interface SettingsSources {
  /** The user's own file, absolute. Need not exist; problem in it is a warning. */
  readonly homeFile?: string;
  /** The file that was asked for on the command line; problem in it is an error. */
  readonly settingsFile?: string;
  /** The organisation's file, absolute. It goes before everything else; a problem in it is an error. */
  readonly managedFile?: string;
  /** Go before all files but the organisation's. */
  readonly overrides?: Partial<SettingValues>;
  /** Gets one sentence about each problem in the home file. */
  readonly warn: (message: string) => void;
  /** The home file as a whole sets nothing; `warn` says why. */
  readonly onUnusable?: () => void;
}

/** The settings file cannot be used; the message says where and why, in one sentence. */
export class SettingsError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SettingsError';
  }
}

/** Values that a file sets, and the folders that it adds to the workspace, as they are written there. */
interface ReadFile {
  readonly values: Partial<SettingValues>;
  readonly included: readonly string[];
}

const nothing: ReadFile = { values: {}, included: [] };

interface Managed {
  readonly values: Partial<SettingValues>;
  /** Keys of its restrictions. */
  readonly names?: readonly string[];
  readonly restrictions?: Restrictions | undefined;
}

const unmanaged: Managed = { values: {} };

/** Undefined: there is no place for one. On Windows we cannot tell who may write. */
export function managedFileOf(platform: string): string | undefined {
  if (platform === 'win32') return undefined;
  return platform === 'darwin'
    ? '/Library/Application Support/Folio/settings.json'
    : '/etc/folio/settings.json';
}

/** Reads the files once. Rejects with a `SettingsError` for a problem in `settingsFile` or `managedFile`. */
export async function readFileSettings(sources: SettingsSources): Promise<FileSettings> {
  const [managed, home, asked] = await Promise.all([
    sources.managedFile === undefined ? unmanaged : readManaged(sources.managedFile),
    sources.homeFile === undefined ? nothing : readHome(sources.homeFile, sources),
    sources.settingsFile === undefined ? nothing : readAsked(sources.settingsFile),
  ]);
  const included = [...home.included, ...asked.included];
  const wanted = { ...asked.values, ...withoutHoles(sources.overrides) };
  return new FileSettings(home.values, wanted, included, managed);
}

/** The settings of the user's files. The values of the workspace's own file stand between them, as they count now. */
export class FileSettings implements Settings {
  private readonly home: Partial<SettingValues>;
  private readonly asked: Partial<SettingValues>;
  private readonly managed: Managed;
  private readonly changed = new Emitter<void>();
  private set: Partial<SettingValues>;
  readonly onDidChange = this.changed.event;
  /** Folders of `context.includeDirectories`, as they are written there. */
  readonly included: readonly string[];

  /**
   * @param home counts less than the workspace
   * @param asked counts more: it was named for this run
   * @param managed counts more than all others
   */
  constructor(
    home: Partial<SettingValues>,
    asked: Partial<SettingValues>,
    included: readonly string[] = [],
    managed = unmanaged,
  ) {
    this.home = home;
    this.asked = asked;
    this.managed = managed;
    this.set = merge(home, asked, managed.values);
    this.included = included;
  }

  get<K extends keyof SettingValues>(name: K): SettingValues[K] {
    return { ...defaultSettings, ...this.set }[name];
  }

  isSet(name: keyof SettingValues): boolean {
    return this.set[name] !== undefined;
  }

  get managedNames(): readonly string[] {
    const { values, names = [] } = this.managed;
    return [...Object.keys(values), ...names];
  }

  get restrictions(): Restrictions | undefined {
    return this.managed.restrictions;
  }

  setWorkspace(workspace: Partial<SettingValues>): void {
    const set = merge(this.home, workspace, this.asked, this.managed.values);
    if (canonicalJson(set) === canonicalJson(this.set)) return;
    this.set = set;
    this.changed.fire();
  }
}

/** Later ones go before earlier ones; no file takes away the ignore files of another. */
function merge(...all: readonly Partial<SettingValues>[]): Partial<SettingValues> {
  const ignoreFiles = all.toReversed().flatMap(each => each.ignoreFiles ?? []);
  return Object.assign({}, ...all, ignoreFiles.length > 0 ? { ignoreFiles } : {});
}

async function readHome(path: string, { warn, onUnusable }: SettingsSources): Promise<ReadFile> {
  try {
    const text = await findText(path);
    if (text === undefined) return nothing;
    const { values, problems, included } = await valuesOf(await parse(path, text), path);
    for (const problem of problems) warn(`${problem} The default is used.`);
    return { values, included };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    warn(`${error.message} The defaults are used.`);
    onUnusable?.();
    return nothing;
  }
}

async function readManaged(path: string): Promise<Managed> {
  const text = await findText(path);
  if (text === undefined) return unmanaged;
  // Loaded where there is such a file.
  const { isAdministratorsFile } = await import('./managedSettings.ts');
  if (!(await isAdministratorsFile(path)))
    throw new SettingsError(
      `The settings of the organisation in ${path} do not count: others than the administrator may write it.`,
    );
  const { readRestrictions } = await import('./allowLists.ts');
  const settings = await parse(path, text);
  const { values, problems } = await valuesOf(settings, path);
  const { problems: unclear, ...read } = inEnglish(() => readRestrictions(settings, path));
  const [problem] = [...problems, ...unclear];
  // A rule that silently does not hold is worse than a Folio that does not start.
  if (problem !== undefined) throw new SettingsError(problem);
  return { values, ...read };
}

async function readAsked(path: string): Promise<ReadFile> {
  const text = await findText(path);
  if (text === undefined) throw new SettingsError(`There is no settings file ${path}.`);
  const { values, problems, included } = await valuesOf(await parse(path, text), path);
  if (problems[0] !== undefined) throw new SettingsError(problems[0]);
  return { values, included };
}

async function findText(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    if (isMissing(error)) return undefined;
    const reason = errorCode(error) === 'EISDIR' ? 'it is a folder' : messageOf(error);
    throw new SettingsError(`The settings file ${path} could not be read: ${reason}.`);
  }
}

/** An empty file sets nothing. */
async function parse(path: string, text: string): Promise<unknown> {
  if (text.trim() === '') return {};
  try {
    return await parseTolerantly(text);
  } catch (error) {
    throw new SettingsError(`The settings file ${path} is not valid JSON${placeOf(error)}.`);
  }
}

function placeOf(error: unknown): string {
  const { lineNumber, columnNumber } = error as { lineNumber?: unknown; columnNumber?: unknown };
  return typeof lineNumber === 'number' ? ` at line ${lineNumber}, column ${columnNumber}` : '';
}

async function valuesOf(settings: unknown, path: string): Promise<ParsedSettings & ReadFile> {
  if (!isRecord(settings)) throw new SettingsError(`The settings file ${path} must hold one object.`);
  // Loaded for those who have such a file.
  const { parseSettings } = await import('../../platform/settingFiles/settingKeys.ts');
  // Told in the log of a window, or in a terminal.
  const parsed = inEnglish(() => parseSettings(settings, path));
  const folders = toList(findValue(settings, 'context.includeDirectories')) ?? [];
  return { ...parsed, included: folders.filter(each => typeof each === 'string') };
}

/** A flag that was not given must not hide what a file says. */
function withoutHoles(overrides: Partial<SettingValues> = {}): Partial<SettingValues> {
  return Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== undefined));
}
