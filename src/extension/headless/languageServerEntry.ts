/* An entry of the setting `folio.languageServers`: a program that knows code, by the glob of its files. */

import * as z from 'zod';
import { isSandboxEntry, sandboxShape } from '../platform/customizations/sandboxEntry.ts';

const word = z.string().refine(text => text.trim() !== '' && !text.includes('\0'), 'must be a text');

const entry = z.strictObject({
  /** A name on PATH, or a path; a relative one begins in the first workspace folder. */
  command: word,
  args: z.array(z.string().refine(text => !text.includes('\0'))).default([]),
  /** The protocol's name of the language; absent: by the ending of each file. */
  language: word.optional(),
  initializationOptions: z.unknown().optional(),
  /** Given where the server asks for its settings. */
  settings: z.record(z.string(), z.unknown()).optional(),
  /** As in the entry of an MCP server; absent: it runs as the user would run it. */
  sandbox: z.unknown().refine(isSandboxEntry, { error: sandboxShape }).optional(),
});

export type LanguageServerEntry = z.output<typeof entry>;

/** A text is the end of a sentence that says what is wrong. `false`: nobody is asked about these files. */
export function parseLanguageServerEntry(value: unknown): LanguageServerEntry | false | string {
  if (value === false) return false;
  const { data, error } = entry.safeParse(value);
  if (data) return data;
  const [issue] = error.issues;
  const where = issue?.path.join('.');
  return `${where ? `its "${where}"` : 'it'} is not right: ${issue?.message ?? 'it is no entry'}`;
}
