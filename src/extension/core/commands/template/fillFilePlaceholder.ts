import { t } from '../../../../protocol/language.ts';
import { mediaLimitBytes } from '../../../../protocol/mediaLimit.ts';
import { oneLine } from '../../../base/text.ts';
import { cutToFit } from '../../mentions/cutToFit.ts';
import { quoteUnusualName, readAttached } from '../../mentions/readPlaces.ts';
import type { TemplateServices } from './templateSources.ts';

type FilledFile =
  | { readonly kind: 'text'; readonly text: string }
  /** Media are attached next to the text, which names them. */
  | { readonly kind: 'attached'; readonly path: string; readonly name: string }
  /** The user was told why. */
  | { readonly kind: 'unread' };

/** Characters and bytes per placeholder, equal to those for all mentions of a prompt. */
const room = { characters: 200_000, bytes: mediaLimitBytes };

/** Fills `@{path}`. On failure, notifies the user and leaves the placeholder. */
export async function fillFilePlaceholder(
  path: string,
  { mentions, notify, signal }: TemplateServices,
): Promise<FilledFile> {
  signal.throwIfAborted();
  if (path === '') {
    notify(t('@{} was not replaced: it names no file.'));
    return { kind: 'unread' };
  }
  const shown = oneLine(path, 200);
  try {
    const reading = await readAttached(mentions, path, signal);
    if (!('pieces' in reading)) {
      notify(t('@{{0}} was not replaced: {1}.', shown, reading.detail));
      return { kind: 'unread' };
    }
    if (reading.pieces.some(({ kind }) => kind === 'media')) {
      const place = reading.path ?? path;
      return { kind: 'attached', path: place, name: quoteUnusualName(place) };
    }
    const fitted = cutToFit(reading, room);
    if (fitted.outcome !== 'read') notify(`@{${shown}}: ${fitted.detail}.`);
    return {
      kind: 'text',
      text: fitted.parts.map(part => (part.kind === 'text' ? part.text : '')).join('\n\n'),
    };
  } catch (error) {
    signal.throwIfAborted();
    notify(
      t(
        '@{{0}} was not replaced: {1}.',
        shown,
        oneLine(error instanceof Error ? error.message : String(error), 200),
      ),
    );
    return { kind: 'unread' };
  }
}
