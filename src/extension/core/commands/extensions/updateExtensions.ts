import { plural, t } from '../../../../protocol/language.ts';
import { escapeInvisibleText } from '../../../base/hiddenText.ts';
import { oneLine } from '../../../base/text.ts';
import type { InstalledExtensionFolder } from '../../../platform/customizations/extensionFolders.ts';
import { CommandError } from '../../commandError.ts';
import { compareExtensions, type ExtensionChanges } from '../../extensions/install/changes.ts';
import { describeExtension } from '../../extensions/install/extensionItems.ts';
import type { CommandContext, ExtensionAccess } from '../commands.ts';
import { askToAgree, confirmationMarkdown, formatExtensionItem } from './agree.ts';
import { makeNameItems } from './effectiveNames.ts';
import { type FetchedSource, fetchAgain } from './fetchSource.ts';
import type { ExtensionArguments } from './parseExtensionArguments.ts';

/** Updates the named extension, or all with a known source. */
export async function updateExtensions(surface: CommandContext, words: ExtensionArguments): Promise<void> {
  const access = await surface.installed.extensions();
  const installed = await access.folders.list();
  const [name] = words.names;
  const meant = installed.filter(each => (name === undefined ? hasSource(each) : each.name === name));
  if (meant.length === 0)
    throw new CommandError(
      name === undefined
        ? t('Nothing to update: no installed extension has a known source.')
        : notInstalled(name),
    );
  const refusals: string[] = [];
  for (const each of meant)
    await updateOne(surface, access, each, words).catch(refusal => refusals.push(sentenceOf(refusal)));
  if (refusals.length > 0) throw new CommandError(refusals.join(' '));
}

export function notInstalled(name: string): string {
  return t(
    'The extension {0} is not installed. /extensions list shows all installed extensions.',
    oneLine(name, 60),
  );
}

function sentenceOf(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  throw error;
}

function hasSource({ note }: InstalledExtensionFolder): boolean {
  return note !== undefined && note.type !== 'link';
}

async function updateOne(
  surface: CommandContext,
  access: ExtensionAccess,
  { name, note }: InstalledExtensionFolder,
  words: ExtensionArguments,
): Promise<void> {
  if (!note)
    throw new CommandError(
      t(
        'The source of the extension {0} is unknown. Remove the extension, then install it from its source.',
        name,
      ),
    );
  if (note.type === 'link')
    throw new CommandError(
      t('The extension {0} is linked to {1}, so it is always up to date.', name, note.source),
    );
  const wanted = await fetchAgain(surface, access, note, words.ref).catch(refusal => {
    throw new CommandError(t('The extension {0} was not updated. {1}', name, sentenceOf(refusal)));
  });
  try {
    return await replace(surface, access, { ...wanted, name, words, digest: note.digest });
  } finally {
    await wanted.fetched.discard();
  }
}

interface Replacement extends FetchedSource {
  readonly name: string;
  readonly words: ExtensionArguments;
  /** Digest of the files as they were installed. */
  readonly digest?: string;
}

async function replace(
  surface: CommandContext,
  access: ExtensionAccess,
  { name, fetched, note, words, digest }: Replacement,
): Promise<void> {
  const { folders, additions } = access;
  const kept = t('The extension {0} was not updated.', name);
  const naming = makeNameItems(access, name);
  const after = await describeExtension(fetched.contents, naming);
  if (typeof after === 'string') throw new CommandError(`${kept} ${after}`);
  if (after.name !== name)
    throw new CommandError(
      t('{0} It is now named {1} in its source. Remove {2}, then install {1}.', kept, after.name, name),
    );
  const contents = await folders.read(name);
  const before = await describeExtension(contents, naming);
  const changes = compareExtensions(
    // A broken extension had no effect, so everything is new.
    { described: typeof before === 'string' ? { brought: [] } : before, contents },
    { described: after, contents: fetched.contents },
  );
  if (changes.files.length === 0 || digest === note.digest) {
    surface.user.answer(t('The extension {0} is up to date.', name));
    return;
  }
  const text = describeChanges(changes);
  if (changes.needsConsent) {
    const question = {
      sentence: after.version
        ? t('Update the extension {0} to {1}?', name, after.version)
        : t('Update the extension {0} to the new state?', name),
      text,
      button: t('Update'),
    };
    await askToAgree(surface, words, question, kept);
  } else await surface.user.show(t('Update of an extension'), confirmationMarkdown({ sentence: name, text }));
  await fetched.install(name, note);
  await additions.refresh();
  surface.user.answer(
    plural(
      changes.files.length,
      'one: The extension {1} was updated: {0} file changed. | other: The extension {1} was updated: {0} files changed.',
      name,
    ),
  );
}

function describeChanges({ added, changed, removed, files }: ExtensionChanges): string {
  const blocks = [
    { title: t('New'), things: added.map(formatExtensionItem) },
    { title: t('Changed'), things: changed.map(formatExtensionItem) },
    { title: t('Gone'), things: removed.map(formatExtensionItem) },
    { title: t('Files ({0})', files.length), things: listFiles(files) },
  ];
  return blocks
    .filter(({ things }) => things.length > 0)
    .map(({ title, things }) => `${title}:\n${things.join('\n')}`)
    .join('\n\n');
}

const maxFiles = 30;

function listFiles(files: readonly string[]): readonly string[] {
  const shown = files.slice(0, maxFiles).map(path => `  ${escapeInvisibleText(oneLine(path, 120))}`);
  const more = files.length - shown.length;
  return more > 0 ? [...shown, `  ${t('and {0} more', more)}`] : shown;
}
