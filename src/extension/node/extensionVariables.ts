import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual, parseEnv } from 'node:util';
import { messageOf } from '../base/errors.ts';
import type { ExtensionVariables } from '../platform/extensions.ts';
import { writeAtomically } from './atomicWrite.ts';
import { isMissing } from './fileErrors.ts';
import { readBounded, Unreadable } from './readBounded.ts';

const mostBytes = 1024 * 1024;

/** The `.env` on the disk. */
export class NodeExtensionVariables implements ExtensionVariables {
  async read(folder: string): Promise<Readonly<Record<string, string>>> {
    const path = join(folder, '.env');
    try {
      return parse(await readBounded(path, mostBytes));
    } catch (error) {
      if (isMissing(error)) return {};
      const why = error instanceof Unreadable ? error.message : `cannot be read: ${messageOf(error)}`;
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
    // What somebody wrote by hand may stand in a way that this does not see through.
    if (!isDeepStrictEqual(parse(after), { ...parse(before), [name]: value }))
      throw new Error(
        `${path} could not be changed without changing more of it. Write ${name} into it by hand.`,
      );
    await writeAtomically(path, new TextEncoder().encode(after), { mode: 0o600 });
  }
}

function parse(text: string): Record<string, string> {
  const entries = Object.entries(parseEnv(text)).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries(entries);
}

/** In the place of its line, else behind all. */
function setVariable(text: string, name: string, value: string): string {
  const line = `${name}=${quoted(value)}`;
  const lines = text.split('\n');
  const at = lines.findLastIndex(each => new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=`).test(each));
  if (at >= 0) return lines.with(at, line).join('\n');
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`;
}

/** In the first kind of quotes that it does not hold itself. */
function quoted(value: string): string {
  if (/^[\w./:@%+,-]*$/.test(value)) return value;
  const quote = ["'", '"', '`'].find(each => !value.includes(each)) ?? "'";
  return quote + value + quote;
}
