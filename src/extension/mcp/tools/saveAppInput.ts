/* Saves, with a call, the data that its server's page needs. */

import type { SavedMcpApp } from '../../../protocol/values.ts';
import type { CallContext } from '../../core/tool.ts';

/** Maximum characters of that data. */
const maxLength = 5_000_000;

/** The part of a call that a page gets. */
export interface AppInput {
  /** The server's name for it. Missing in calls of earlier versions. */
  readonly tool?: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** As received from the server. */
  readonly result: Readonly<Record<string, unknown>>;
}

/** Resolves to `undefined` if the data is too large or cannot be saved; the call then shows only its text. */
export async function saveAppInput(
  { server, uri }: Pick<SavedMcpApp, 'server' | 'uri'>,
  given: AppInput,
  { saveOutput }: Pick<CallContext, 'saveOutput'>,
): Promise<SavedMcpApp | undefined> {
  const json = JSON.stringify(given);
  const path = json.length > maxLength ? undefined : await saveOutput(json, 'json');
  return path === undefined ? undefined : { server, uri, path };
}
