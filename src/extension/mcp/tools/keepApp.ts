/* Keeps with a call what its server's page is shown of it. */

import type { SavedApp } from '../../../protocol/values.ts';
import type { CallContext } from '../../core/tool.ts';

/** Characters of what a page is given. */
const maxLength = 5_000_000;

/** A page is given this of its call. */
export interface AppInput {
  /** As the server names it; absent in calls of earlier versions. */
  readonly tool?: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** As the server gave it. */
  readonly result: Readonly<Record<string, unknown>>;
}

/** Undefined: it is too large, or the disk refuses it; then the call shows its text alone. */
export async function keepApp(
  { server, uri }: Pick<SavedApp, 'server' | 'uri'>,
  given: AppInput,
  { saveOutput }: Pick<CallContext, 'saveOutput'>,
): Promise<SavedApp | undefined> {
  const json = JSON.stringify(given);
  const path = json.length > maxLength ? undefined : await saveOutput(json, 'json');
  return path === undefined ? undefined : { server, uri, path };
}
