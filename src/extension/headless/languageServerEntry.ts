/* An entry of the setting `folio.languageServers`: a language server, by the glob of its files. */

import * as z from 'zod';
import { invalidSandboxEntryText, isSandboxEntry } from '../platform/customizations/sandboxEntry.ts';

const word = z.string().refine(text => text.trim() !== '' && !text.includes('\0'), 'must be a text');

const entry = z.strictObject({
  /** A name on PATH, or a path. A relative path starts at the first workspace folder. */
  command: word,
  args: z.array(z.string().refine(text => !text.includes('\0'))).default([]),
  /** The protocol's language id. Defaults to that of each file's extension. */
  language: word.optional(),
  initializationOptions: z.unknown().optional(),
  /** Sent when the server requests its settings. */
  settings: z.record(z.string(), z.unknown()).optional(),
  /** As in the entry of an MCP server. Omitted for no sandbox. */
  sandbox: z.unknown().refine(isSandboxEntry, { error: invalidSandboxEntryText }).optional(),
});

export type LanguageServerEntry = z.output<typeof entry>;

/**
 * Returns a text that completes an error message if the entry is invalid. Returns `false` if no server handles these
 * files.
 */
export function parseLanguageServerEntry(value: unknown): LanguageServerEntry | false | string {
  if (value === false) return false;
  const { data, error } = entry.safeParse(value);
  if (data) return data;
  const [issue] = error.issues;
  const where = issue?.path.join('.');
  return `${where ? `its "${where}"` : 'it'} is not right: ${issue?.message ?? 'it is no entry'}`;
}
