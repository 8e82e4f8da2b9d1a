/* `/mcp add`: starts a server before saving it, so that a saved one is known to work. */

import { t } from '../../../../protocol/language.ts';
import { canonicalJson } from '../../../base/canonicalJson.ts';
import { plainLine } from '../../../base/text.ts';
import type { ServerScope } from '../../../platform/customizations/serverFiles.ts';
import { Refusal } from '../../refusal.ts';
import type { CommandSurface } from '../commands.ts';
import type { ServerAccess, ServerCheck, ServerDraft } from '../serverAccess.ts';
import { parseServerWords, type ServerRequest } from './parseServerWords.ts';
import { type ProtectedEntry, protectSecrets } from './typedSecrets.ts';

export async function addServer(surface: CommandSurface, argument: string): Promise<void> {
  const intent = parseServerWords(argument);
  if (!surface.place().trusted)
    throw new Refusal(
      t('No server is started in a restricted workspace: trust it first, then use /mcp add.'),
    );
  await addTo(surface, await surface.installed.servers(), intent, intent.place ?? 'person');
}

async function addTo(
  surface: CommandSurface,
  access: ServerAccess,
  { name, entry: typed, unchecked }: ServerRequest,
  place: ServerScope,
): Promise<void> {
  const { files, env } = access;
  const path = files.path(place);
  if (path === undefined)
    throw new Refusal(t('No folder is open. Keep the server in your own file: --scope user.'));
  if (place === 'workspace' && path === files.path('person'))
    throw new Refusal(
      t('The workspace is your home folder. Keep the server in your own file: --scope user.'),
    );
  if (place === 'workspace' && typed.trust === true)
    throw new Refusal(t('--trust counts only in your own file: use --scope user with it, or leave it out.'));
  if (Object.hasOwn(await files.read(place), name))
    throw new Refusal(
      t(
        'A server {0} stands in {1} already. Choose another name, or take that one out: /mcp remove {0}.',
        name,
        path,
      ),
    );
  const guarded = protectSecrets(name, typed, { env, hasStorage: access.keep !== undefined });
  if (place === 'workspace' && guarded.plain.length > 0)
    throw new Refusal(
      t(
        "Nothing was written: a secret ({0}) would stand readable in {1}, which others may get. Name a variable in its place, as '$TOKEN', or use --scope user.",
        guarded.plain.join(', '),
        path,
      ),
    );
  const draft = { place, path, name, entry: guarded.entry, answers: guarded.answers };
  const check = unchecked ? undefined : await start(surface, access, draft);
  const problem = check && describeProblem(check);
  if (problem !== undefined)
    throw new Refusal(
      t('The server {0} was not added: {1} --unchecked adds it all the same.', name, problem),
    );
  if (draft.answers.size > 0) await access.keep?.(draft);
  await files.write(place, name, draft.entry);
  await takeOver(access, draft);
  surface.user.answer(describeAdded(draft, guarded, check, access.startsAtOnce));
}

function start(surface: CommandSurface, access: ServerAccess, draft: ServerDraft): Promise<ServerCheck> {
  return surface.user.working(t('Starting the server {0}…', draft.name), signal =>
    access.check(draft, signal),
  );
}

/** Enables the new server of the workspace at once, since the user just described it. Decides on nothing else. */
async function takeOver({ all }: ServerAccess, { name, path, entry }: ServerDraft): Promise<void> {
  await all.refresh();
  const own = all.list.flatMap(({ item, id, state }) => {
    const isNamed = item.kind === 'server' && item.name === name && item.path === path;
    const isIt = isNamed && canonicalJson(item.value) === canonicalJson(entry);
    return isIt && state === 'waiting' && id !== undefined ? [id] : [];
  });
  if (own.length > 0) await all.consent.decide('allowed', own);
}

function describeProblem({ status }: ServerCheck): string | undefined {
  switch (status.kind) {
    case 'ready':
    case 'needsSignIn':
      return undefined;
    case 'failed':
    case 'retrying':
      return plainLine(status.reason, 500);
    case 'starting':
      return t('it did not start in time.');
    case 'waiting':
    case 'disabled':
      return t('its entry keeps it from running.');
  }
}

/**
 * VS Code shows only the start of a message at first, so a long path comes last. Tools are not counted, since servers
 * may add some later.
 */
function describeAdded(
  { name, path, place }: ServerDraft,
  { answers, plain }: ProtectedEntry,
  check: ServerCheck | undefined,
  startsAtOnce: boolean,
): string {
  const added =
    check?.status.kind === 'ready'
      ? t('The server {0} is added and works.', name)
      : t('The server {0} is added.', name);
  const signIn =
    check?.status.kind === 'needsSignIn' ? ` ${t('It wants you to sign in: /mcp auth {0}.', name)}` : '';
  const kept =
    answers.size > 0 ? ` ${t('What is secret is in the secret storage and not in the file.')}` : '';
  const readable =
    plain.length > 0 ? ` ${t('Its secret ({0}) stands readable in the file.', plain.join(', '))}` : '';
  const when = startsAtOnce ? '' : ` ${t('It runs from the next run on.')}`;
  const where =
    place === 'person'
      ? t('It counts for you in every workspace and stands in {0}.', path)
      : t('It counts for this workspace and stands in {0}.', path);
  return `${added}${signIn}${readable}${kept} ${where}${when}`;
}
