import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual, parseEnv } from 'node:util';
import { t } from '../../../protocol/language.ts';
import { LocalizedError, messageOf } from '../../base/errors.ts';
import { fromDefinedEntries } from '../../base/record.ts';
import type { ExtensionVariables } from '../../platform/customizations/extensions.ts';
import { writeAtomically } from '../files/atomicWrite.ts';
import { isMissing } from '../files/fileErrors.ts';
import { readBounded, UnusableFileError } from '../files/readBounded.ts';
import { StatSnapshot } from '../files/statSnapshot.ts';

const maxBytes = 1024 * 1024;

type Variables = Readonly<Record<string, string>>;

/** The `.env` file. Checked with every prompt, and parsed when it has changed. */
export class NodeExtensionVariables implements ExtensionVariables {
  private readonly known = new Map<string, { readonly values: Variables; readonly snapshot: StatSnapshot }>();

  private readonly now: () => number;

  /** @param now returns milliseconds, for comparison with file times */
  constructor(now = Date.now) {
    this.now = now;
  }

  async read(folder: string): Promise<Variables> {
    const path = join(folder, '.env');
    const known = this.known.get(path);
    if (known && (await known.snapshot.isUnchanged())) return known.values;
    this.known.delete(path);
    const at = this.now();
    const snapshot = new StatSnapshot();
    try {
      await snapshot.scan(path);
      const values = parse(await readBounded(path, maxBytes));
      if (snapshot.isSettled(at)) this.known.set(path, { values, snapshot });
      return values;
    } catch (error) {
      if (isMissing(error)) return {};
      const why =
        error instanceof UnusableFileError ? error.message : t('cannot be read: {0}', messageOf(error));
      throw new Error(`${path} ${why}.`);
    }
  }

  async write(folder: string, name: string, value: string): Promise<void> {
    const path = join(folder, '.env');
    const before = await readFile(path, 'utf8').catch(error => {
      if (isMissing(error)) return '';
      throw error;
    });
    const after = setVariable(before, name, value);
    // A hand-written file may have a syntax that this code does not support.
    if (!isDeepStrictEqual(parse(after), { ...parse(before), [name]: value }))
      throw new LocalizedError(() =>
        t('Folio cannot change {0} without changing other parts of it. Add {1} to it manually.', path, name),
      );
    await writeAtomically(path, new TextEncoder().encode(after), { mode: 0o600 });
  }
}

function parse(text: string): Record<string, string> {
  return fromDefinedEntries(Object.entries(parseEnv(text)));
}

/** Replaces the variable's line, or appends one. */
function setVariable(text: string, name: string, value: string): string {
  const line = `${name}=${quoted(value)}`;
  const lines = text.split('\n');
  const at = lines.findLastIndex(each => new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=`).test(each));
  if (at >= 0) return lines.with(at, line).join('\n');
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`;
}

/** Uses the first kind of quotes that the value does not contain. */
function quoted(value: string): string {
  if (/^[\w./:@%+,-]*$/.test(value)) return value;
  const quote = ["'", '"', '`'].find(each => !value.includes(each)) ?? "'";
  return quote + value + quote;
}
