import { readFile } from 'node:fs/promises';
import { inEnglish } from '../../../protocol/language.ts';
import { canonicalJson } from '../../base/canonicalJson.ts';
import { Emitter } from '../../base/emitter.ts';
import { errorCode, messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/record.ts';
import { findSettingValue, toList } from '../../platform/findSetting.ts';
import type { Restrictions } from '../../platform/managed/restrictions.ts';
import type { ParsedSettings } from '../../platform/settingFiles/settingKeys.ts';
import { defaultSettings, type Settings, type SettingValues } from '../../platform/settings.ts';
import { isMissing } from '../files/fileErrors.ts';
import { parseTolerantJson } from '../files/tolerantJson.ts';

interface SettingsSources {
  /** Absolute path of the user's own file, which need not exist. A problem in it is a warning. */
  readonly homeFile?: string;
  /** The file named on the command line. A problem in it is an error. */
  readonly settingsFile?: string;
  /** Absolute path of the organisation's file. It wins over everything else; a problem in it is an error. */
  readonly managedFile?: string;
  /** Win over all files except the organisation's. */
  readonly overrides?: Partial<SettingValues>;
  /** Called with a message for each problem in the home file. */
  readonly warn: (message: string) => void;
  /** Called if the whole home file is unusable; `warn` gets the reason. */
  readonly onUnusable?: () => void;
}

/** The settings file is unusable. The message says where and why. */
export class SettingsError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SettingsError';
  }
}

/** Values that a file sets, and the folders that it adds to the workspace, as written. */
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

/** Returns `undefined` on Windows, where we cannot tell who may write the file. */
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

/** The settings in the user's files, combined with the current values of the workspace's file. */
export class FileSettings implements Settings {
  private readonly home: Partial<SettingValues>;
  private readonly asked: Partial<SettingValues>;
  private readonly managed: Managed;
  private readonly changed = new Emitter<void>();
  private set: Partial<SettingValues>;
  readonly onDidChange = this.changed.event;
  /** Folders of `context.includeDirectories`, as written. */
  readonly included: readonly string[];

  /**
   * @param home loses to the workspace
   * @param asked wins over the workspace, since it was named for this run
   * @param managed wins over all others
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

/** Merges settings: later values win, but the ignore files of all are combined. */
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
  // Loaded only if such a file exists.
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
  // Refuses to start, because a rule must not be ignored silently.
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
    return await parseTolerantJson(text);
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
  // Loaded only if such a file exists.
  const { parseSettings } = await import('../../platform/settingFiles/settingKeys.ts');
  // Shown in the log of a window, or in a terminal.
  const parsed = inEnglish(() => parseSettings(settings, path));
  const folders = toList(findSettingValue(settings, 'context.includeDirectories')) ?? [];
  return { ...parsed, included: folders.filter(each => typeof each === 'string') };
}

/** An option that was not given must not hide a value in a file. */
function withoutHoles(overrides: Partial<SettingValues> = {}): Partial<SettingValues> {
  return Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== undefined));
}
