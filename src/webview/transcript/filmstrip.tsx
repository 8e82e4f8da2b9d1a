import { t } from '../../protocol/language.ts';
import type { PanelChapter } from '../../protocol/panel/panelState.ts';
import { everyCall } from '../panel/everyCall.ts';
import { PagePicture, pictureOf } from './calls/callPicture.tsx';

/** Maximum number of thumbnails, the newest ones. */
const shown = 12;

/** Thumbnails of browser pages of a folded chapter, in order. */
export function Filmstrip({ items }: Pick<PanelChapter, 'items'>) {
  const pictures = [...everyCall(items)].flatMap(({ call }) => {
    const picture = pictureOf(call);
    return picture ? [{ call, picture }] : [];
  });
  if (pictures.length === 0) return null;
  return (
    <ul class="filmstrip" aria-label={t('Pictures of pages')}>
      {pictures.slice(-shown).map(({ call, picture }) => (
        <li key={call.id}>
          <PagePicture call={call} picture={picture} />
        </li>
      ))}
    </ul>
  );
}
