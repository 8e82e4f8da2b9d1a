/* `/mcp add`: starts a server before saving it, so that a saved one is known to work. */

import { t } from '../../../../protocol/language.ts';
import { canonicalJson } from '../../../base/canonicalJson.ts';
import { sanitiseLine } from '../../../base/text.ts';
import type { ServerScope } from '../../../platform/customizations/serverFiles.ts';
import { CommandError } from '../../commandError.ts';
import type { CommandContext } from '../commands.ts';
import type { ServerAccess, ServerCheck, ServerDraft } from '../serverAccess.ts';
import { type AddServerRequest, parseAddServerArguments } from './parseAddServerArguments.ts';
import { type ProtectedEntry, protectSecrets } from './typedSecrets.ts';

export async function addServer(surface: CommandContext, argument: string): Promise<void> {
  const intent = parseAddServerArguments(argument);
  if (!surface.place().trusted)
    throw new CommandError(
      t('The workspace is restricted, so no server is started. Trust it first, then use /mcp add.'),
    );
  await addTo(surface, await surface.installed.servers(), intent, intent.place ?? 'person');
}

async function addTo(
  surface: CommandContext,
  access: ServerAccess,
  { name, entry: typed, unchecked }: AddServerRequest,
  place: ServerScope,
): Promise<void> {
  const { files, env } = access;
  const path = files.path(place);
  if (path === undefined)
    throw new CommandError(t('No folder is open. Add the server to your own file: --scope user.'));
  if (place === 'workspace' && path === files.path('person'))
    throw new CommandError(
      t('The workspace is your home folder. Add the server to your own file: --scope user.'),
    );
  if (place === 'workspace' && typed.trust === true)
    throw new CommandError(t('--trust works only with --scope user. Add that, or leave out --trust.'));
  if (Object.hasOwn(await files.read(place), name))
    throw new CommandError(
      t(
        '{1} already has a server {0}. Choose another name, or remove that one: /mcp remove {0}.',
        name,
        path,
      ),
    );
  const guarded = protectSecrets(name, typed, { env, hasStorage: access.keep !== undefined });
  if (place === 'workspace' && guarded.plain.length > 0)
    throw new CommandError(
      t(
        "Nothing was written: a secret ({0}) would be stored as plain text in {1}, which you may share. Use a variable instead, such as '$TOKEN', or --scope user.",
        guarded.plain.join(', '),
        path,
      ),
    );
  const draft = { place, path, name, entry: guarded.entry, answers: guarded.answers };
  // Opens it now, not when the start ends: by then the user may type elsewhere.
  const isShown = await surface.views.showPage('mcp');
  const check = unchecked ? undefined : await start(surface, access, draft);
  const problem = check && describeProblem(check);
  if (problem !== undefined)
    throw new CommandError(
      t('The server {0} was not added: {1}', name, problem),
      t('Use --unchecked to add it anyway.'),
    );
  if (draft.answers.size > 0) await access.keep?.(draft);
  await files.write(place, name, draft.entry);
  await takeOver(access, draft);
  // The page has its row.
  if (isShown && guarded.plain.length === 0) return;
  surface.user.answer(describeAdded(draft, guarded, check, access.startsAtOnce));
}

function start(surface: CommandContext, access: ServerAccess, draft: ServerDraft): Promise<ServerCheck> {
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
      return sanitiseLine(status.reason, 500);
    case 'starting':
      return t('it did not start in time.');
    case 'waiting':
    case 'disabled':
      return t('its entry disables it.');
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
    check?.status.kind === 'needsSignIn' ? ` ${t('It requires you to sign in: /mcp auth {0}.', name)}` : '';
  const kept = answers.size > 0 ? ` ${t('Secrets are in the secret storage, not in the file.')}` : '';
  const readable =
    plain.length > 0
      ? ` ${t('Its secret ({0}) is stored in the file as plain text.', plain.join(', '))}`
      : '';
  const when = startsAtOnce ? '' : ` ${t('It is used from the next run on.')}`;
  const where =
    place === 'person'
      ? t('It is active in all your workspaces and is stored in {0}.', path)
      : t('It is active in this workspace and is stored in {0}.', path);
  return `${added}${signIn}${readable}${kept} ${where}${when}`;
}
