import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type ParseError, parse } from 'jsonc-parser';
import { t } from '../../../protocol/language.ts';
import { isRecord } from '../../base/record.ts';
import {
  type ServerEntries,
  ServerFileError,
  type ServerFiles,
  type ServerScope,
} from '../../platform/customizations/serverFiles.ts';
import { FileError, type FileSystem, type TextFile, utf8Format } from '../../platform/fileSystem.ts';
import { removeSettingsProperty, setSettingsProperty } from './editSettings.ts';

interface ServerFilePlaces {
  /** Absolute path. */
  readonly home: string;
  /** Current workspace folders as absolute paths. */
  readonly folders: () => readonly string[];
}

const key = 'mcpServers';

/** Reads and edits settings files with comments and trailing commas. */
export class NodeServerFiles implements ServerFiles {
  private readonly files: Pick<FileSystem, 'stat' | 'readText' | 'writeText'>;
  private readonly places: ServerFilePlaces;

  constructor(files: Pick<FileSystem, 'stat' | 'readText' | 'writeText'>, places: ServerFilePlaces) {
    this.files = files;
    this.places = places;
  }

  path(place: ServerScope): string | undefined {
    const folder = place === 'person' ? this.places.home : this.places.folders()[0];
    return folder && join(folder, '.gemini', 'settings.json');
  }

  async read(place: ServerScope): Promise<ServerEntries> {
    const path = this.pathOf(place);
    return serversOf(parseWhole((await this.open(path))?.text ?? '{}', path), path);
  }

  async write(place: ServerScope, name: string, entry: ServerEntries | undefined): Promise<void> {
    await this.put(place, [key, name], entry);
  }

  async put(place: ServerScope, keys: readonly string[], value: unknown): Promise<void> {
    const path = this.pathOf(place);
    const file = await this.open(path);
    const text = file?.text.trim() ? file.text : '{}\n';
    const before = parseWhole(text, path);
    const wanted = withValue(before, keys, value, path);
    const after =
      value === undefined ? removeSettingsProperty(text, keys) : setSettingsProperty(text, keys, value);
    // If a key occurs twice, the edited one is not the one that is read.
    if (!isDeepStrictEqual(parseWhole(after, path), wanted))
      throw new ServerFileError(
        t('{0} has the same key twice, so nothing was written. Remove one of the two, then try again.', path),
      );
    await reported(path, this.files.writeText(path, after, file?.format ?? utf8Format, file?.text ?? null));
  }

  private pathOf(place: ServerScope): string {
    const path = this.path(place);
    if (path === undefined)
      throw new ServerFileError(t('No folder is open, so there is no file to write to.'));
    return path;
  }

  private async open(path: string): Promise<TextFile | undefined> {
    if (!(await reported(path, this.files.stat(path)))) return undefined;
    return await reported(path, this.files.readText(path));
  }
}

function parseWhole(text: string, path: string): Readonly<Record<string, unknown>> {
  const errors: ParseError[] = [];
  const value: unknown = parse(text.trim() === '' ? '{}' : text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error) {
    const line = text.slice(0, error.offset).split('\n').length;
    throw new ServerFileError(
      t(
        '{0} is not valid JSON at line {1}, so nothing was written. Correct it there, then try again.',
        path,
        line,
      ),
    );
  }
  if (isRecord(value)) return value;
  throw new ServerFileError(
    t('{0} contains no object, so nothing was written. Correct it, then try again.', path),
  );
}

function serversOf(whole: Readonly<Record<string, unknown>>, path: string): ServerEntries {
  const servers = whole[key] ?? {};
  if (isRecord(servers)) return servers;
  throw notAnObject(key, path);
}

/** Returns a copy with the value at the path, or without that key. */
function withValue(
  whole: Readonly<Record<string, unknown>>,
  [key = '', ...rest]: readonly string[],
  value: unknown,
  path: string,
): Readonly<Record<string, unknown>> {
  const { [key]: old, ...others } = whole;
  if (rest.length === 0) return value === undefined ? others : { ...others, [key]: value };
  if (old === undefined && value === undefined) return whole;
  const inner = old ?? {};
  if (!isRecord(inner)) throw notAnObject(key, path);
  return { ...others, [key]: withValue(inner, rest, value, path) };
}

function notAnObject(key: string, path: string): ServerFileError {
  return new ServerFileError(
    t('"{0}" in {1} is not an object, so nothing was written. Correct it, then try again.', key, path),
  );
}

async function reported<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new ServerFileError(t('{0} was not changed: {1}', path, error.message), { cause: error });
  }
}
