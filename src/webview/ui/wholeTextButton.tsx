import { t } from '../../protocol/language.ts';
import { usePanel } from '../panel/panel.ts';
import { LinkButton } from './controls.tsx';

/** Button below a cut text that opens all of it. */
export function WholeTextButton({
  item,
}: {
  readonly item: { readonly id: string; readonly cut?: boolean };
}) {
  const { act } = usePanel();
  if (!item.cut) return null;
  return (
    <LinkButton onClick={() => act({ type: 'output.open', callId: item.id })}>
      {t('Show all in editor')}
    </LinkButton>
  );
}
