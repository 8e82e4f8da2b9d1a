import { basename, dirname, join, sep } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { messageOf } from '../../base/errors.ts';
import type { HookDialect, HookFile, HookFiles } from '../../platform/customizations/hooks.ts';
import type { SettingsDocuments } from '../../platform/settingsDocuments.ts';
import { digestScripts } from './scriptDigest.ts';

interface HookFilePlaces {
  /** Absolute paths of the user's files, highest priority first. */
  readonly user: readonly string[];
  /** Current workspace folders as absolute paths. Commands run in the first. */
  readonly folders: () => readonly string[];
  /** Hooks of enabled extensions. Omitted if there are none. Never rejects. */
  readonly extensions?: () => Promise<readonly HookExtension[]>;
}

interface HookExtension {
  /** Absolute path. */
  readonly folder: string;
  /** Variables of its hooks. */
  readonly env: Readonly<Record<string, string>>;
  /** Values of them to mask everywhere. */
  readonly secrets?: readonly string[];
  /** For a plugin in another program's format: that program's hook contract. */
  readonly dialect?: HookDialect;
  /** Its folder belongs to the workspace, so its hooks need the user's approval like those of the workspace. */
  readonly isOfWorkspace: boolean;
}

/** Reads saved settings files only; unsaved text of an editor does not count. */
export class NodeHookFiles implements HookFiles {
  private readonly places: HookFilePlaces;
  private readonly documents: SettingsDocuments;
  /** Extension folders that belong to the workspace, as of the last read. */
  private ofWorkspace: readonly string[] = [];

  constructor(places: HookFilePlaces, documents: SettingsDocuments) {
    this.places = places;
    this.documents = documents;
  }

  async read(trusted: boolean): Promise<readonly HookFile[]> {
    const { user, folders, extensions } = this.places;
    const { documents } = this;
    const ofWorkspace = trusted ? folders() : [];
    const ofExtensions = (async () => {
      const found = ((await extensions?.()) ?? []).filter(({ isOfWorkspace }) => trusted || !isOfWorkspace);
      this.ofWorkspace = found.flatMap(({ folder, isOfWorkspace }) => (isOfWorkspace ? [folder] : []));
      return Promise.all(found.map(extension => readExtensionHooks(extension, documents)));
    })();
    const reads = [
      ...ofWorkspace.map(folder =>
        readHookFile(join(folder, '.gemini', 'settings.json'), 'workspace', 'gemini', documents),
      ),
      ...ofWorkspace.map(folder =>
        readHookFile(join(folder, '.claude', 'settings.json'), 'workspace', 'claude', documents),
      ),
      ...ofWorkspace.map(folder =>
        readHookFile(join(folder, '.claude', 'settings.local.json'), 'workspace', 'claude', documents),
      ),
      ...user.map(path => readHookFile(path, 'person', dialectOf(path), documents)),
    ];
    const read = [...(await Promise.all(reads)), ...(await ofExtensions)];
    const files = read.filter(file => file !== undefined);
    // The home folder may be the workspace: the file counts once, as the user's own.
    return files.filter(({ path, origin }) => origin === 'person' || !user.includes(path));
  }

  digest(command: string): Promise<string> {
    // The extension of a command is unknown here, so its targets in all of them are checked.
    const led = this.ofWorkspace.map(folder => command.replace(extensionVariable, () => folder));
    return digestScripts([...new Set([command, ...led])].join('\n'), this.places.folders());
  }
}

/** The contract of the file's hooks for events that both programs have. */
function dialectOf(path: string): HookDialect {
  return basename(dirname(path)) === '.claude' ? 'claude' : 'gemini';
}

async function readHookFile(
  path: string,
  origin: HookFile['origin'],
  dialect: HookDialect,
  documents: SettingsDocuments,
): Promise<HookFile | undefined> {
  const document = await documents.read(path);
  if (document === undefined) return undefined;
  // Most settings files contain no hooks, and their errors are reported elsewhere.
  if (document.status !== 'unreadable' && !/hook/i.test(document.text)) return undefined;
  if (document.status === 'parsed') return { path, origin, dialect, content: document.content };
  const problem = t(
    'The hooks of {0} cannot be read ({1}). None of them runs.',
    path,
    messageOf(document.error),
  );
  return { path, origin, dialect, content: {}, problem };
}

/** Reads only its hooks. Other settings in the file must not affect other hooks. */
export async function readExtensionHooks(
  { folder, env, secrets, dialect = 'gemini', isOfWorkspace }: HookExtension,
  documents: SettingsDocuments,
): Promise<HookFile | undefined> {
  const origin = isOfWorkspace ? 'workspace' : 'person';
  const file = await readHookFile(join(folder, 'hooks', 'hooks.json'), origin, dialect, documents);
  if (!file) return undefined;
  const own = {
    isExtension: true,
    env: { ...env, extensionPath: folder, CLAUDE_PLUGIN_ROOT: folder },
    secrets,
  };
  return { ...file, ...own, content: withPaths(file.content, folder) };
}

const extensionVariable =
  /\$(?:(?:extensionPath|CLAUDE_PLUGIN_ROOT)\b|\{(?:extensionPath|CLAUDE_PLUGIN_ROOT)\})/g;
const inBraces = /\$\{(?:extensionPath|CLAUDE_PLUGIN_ROOT)\}/g;

/** Characters without a meaning for a shell, however quoted. */
const harmlessPath = /^[\w/\\.:~@%+, -]+$/;

/**
 * Inserts the folder into the texts. A name that a shell could misread is left to the shell, which gets it from
 * variables; so are the workspace's folders.
 */
function withPaths(value: unknown, folder: string): unknown {
  if (Array.isArray(value)) return value.map(each => withPaths(each, folder));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withPaths(each, folder)]));
  if (typeof value !== 'string') return value;
  const found = harmlessPath.test(folder) ? value.replace(inBraces, () => folder) : value;
  return found
    .replaceAll('${workspacePath}', '${GEMINI_PROJECT_DIR}')
    .replace(/\$\{(?:\/|pathSeparator)\}/g, () => sep);
}
