/* `/mcp add`: a server is started before it is written, so that what stands in the file has run once. */

import { canonicalJson } from '../../../base/canonicalJson.ts';
import { plainLine, plural } from '../../../base/text.ts';
import { ServerFileTrouble, type ServerPlace } from '../../../platform/customizations/serverFiles.ts';
import type { CommandSurface } from '../commands.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { ServerAccess, ServerCheck, ServerDraft } from '../serverAccess.ts';
import { parseServerWords, type ServerWish } from './parseServerWords.ts';
import { type ProtectedEntry, protectSecrets } from './typedSecrets.ts';

export async function addServer(surface: CommandSurface, argument: string): Promise<Refusal | undefined> {
  const wish = parseServerWords(argument);
  if ('sentence' in wish) return wish;
  const { folders, trusted } = surface.place();
  if (!trusted)
    return refuse('No server is started in a restricted workspace: trust it first, then use /mcp add.');
  const place = wish.place ?? (folders.length === 0 ? 'person' : 'workspace');
  try {
    return await addTo(surface, await surface.installed.servers(), wish, place);
  } catch (error) {
    if (error instanceof ServerFileTrouble) return refuse(error.message);
    throw error;
  }
}

async function addTo(
  surface: CommandSurface,
  access: ServerAccess,
  { name, entry: typed, unchecked }: ServerWish,
  place: ServerPlace,
): Promise<Refusal | undefined> {
  const { files, env } = access;
  const path = files.path(place);
  if (path === undefined) return refuse('No folder is open. Keep the server in your own file: --scope user.');
  if (place === 'workspace' && path === files.path('person'))
    return refuse('The workspace is your home folder. Keep the server in your own file: --scope user.');
  if (place === 'workspace' && typed.trust === true)
    return refuse('--trust counts only in your own file: use --scope user with it, or leave it out.');
  if (Object.hasOwn(await files.read(place), name))
    return refuse(
      `A server ${name} stands in ${path} already. Choose another name, or take that one out: /mcp remove ${name}.`,
    );
  const guarded = protectSecrets(name, typed, { env, hasStorage: access.keep !== undefined });
  if (place === 'workspace' && guarded.plain.length > 0)
    return refuse(
      `Nothing was written: a secret (${guarded.plain.join(', ')}) would stand readable in ${path}, which others may get. Name a variable in its place, as '$TOKEN', or use --scope user.`,
    );
  const draft = { place, path, name, entry: guarded.entry, answers: guarded.answers };
  const check = unchecked ? undefined : await start(surface, access, draft);
  const trouble = check && describeTrouble(check);
  if (trouble !== undefined)
    return refuse(`The server ${name} was not added: ${trouble} --unchecked adds it all the same.`);
  if (draft.answers.size > 0) await access.keep?.(draft);
  await files.write(place, name, draft.entry);
  await takeOver(access, draft);
  surface.person.answer(describeAdded(draft, guarded, check, access.startsAtOnce));
  return undefined;
}

function start(surface: CommandSurface, access: ServerAccess, draft: ServerDraft): Promise<ServerCheck> {
  return surface.person.working(`Starting the server ${draft.name}…`, signal => access.check(draft, signal));
}

/** A server of the workspace counts at once: the person has just said what it is. Nothing else is decided on. */
async function takeOver({ all }: ServerAccess, { name, path, entry }: ServerDraft): Promise<void> {
  await all.refresh();
  const own = all.list.flatMap(({ item, id, state }) => {
    const isNamed = item.kind === 'server' && item.name === name && item.path === path;
    const isIt = isNamed && canonicalJson(item.value) === canonicalJson(entry);
    return isIt && state === 'waiting' && id !== undefined ? [id] : [];
  });
  if (own.length > 0) await all.consent.decide('allowed', own);
}

function describeTrouble({ status }: ServerCheck): string | undefined {
  switch (status.kind) {
    case 'ready':
    case 'needsSignIn':
      return undefined;
    case 'failed':
    case 'retrying':
      return plainLine(status.reason, 500);
    case 'starting':
      return 'it did not start in time.';
    case 'waiting':
    case 'disabled':
      return 'its entry keeps it from running.';
  }
}

/** A message of VS Code shows its first words only, until it is unfolded: a long path comes late. */
function describeAdded(
  { name, path }: ServerDraft,
  { answers, plain }: ProtectedEntry,
  check: ServerCheck | undefined,
  startsAtOnce: boolean,
): string {
  const ran = check?.status.kind === 'ready' ? ` and has ${plural(check.tools.length, 'tool')}` : '';
  const signIn = check?.status.kind === 'needsSignIn' ? ` It wants you to sign in: /mcp auth ${name}.` : '';
  const kept = answers.size > 0 ? ' What is secret is in the secret storage and not in the file.' : '';
  const readable = plain.length > 0 ? ` Its secret (${plain.join(', ')}) stands readable in the file.` : '';
  const when = startsAtOnce ? '' : ' It runs from the next run on.';
  return `The server ${name} is added${ran}.${signIn}${readable}${kept} It stands in ${path}.${when}`;
}
