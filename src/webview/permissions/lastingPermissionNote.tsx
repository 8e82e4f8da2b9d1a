import { t } from '../../protocol/language.ts';
import type { PanelCall } from '../../protocol/panel/panelState.ts';
import { describeChoice } from '../../protocol/words/askWords.ts';
import { usePanel } from '../panel/panel.ts';
import { LinkButton } from '../ui/controls.tsx';

/** Names the lasting permission that was granted with this call, with a link to remove it. */
export function LastingPermissionNote({ call: { decided } }: { readonly call: PanelCall }) {
  const { store } = usePanel();
  if (!decided?.lasting) return null;
  return (
    <p class="call-note">
      <span>{describeChoice(decided.lasting)}</span>
      <LinkButton onClick={() => (store.view.value = 'permissions')}>{t('Permissions')}</LinkButton>
    </p>
  );
}
