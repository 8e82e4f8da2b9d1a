import { t } from '../../protocol/language.ts';
import { usePanel } from '../panel/panel.ts';
import { LinkButton } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { UntrustedText } from '../ui/untrustedText.tsx';

export function ConnectionProgress({ doing }: { readonly doing: string }) {
  const { act } = usePanel();
  return (
    <p class="way-working quiet">
      <Icon name="loading" class="spin" />
      <span>
        <UntrustedText text={doing} />
      </span>
      <LinkButton onClick={() => act({ type: 'connect.stop' })}>{t('Stop')}</LinkButton>
    </p>
  );
}

export function ConnectionProblem({ text }: { readonly text: string }) {
  return (
    <p class="way-problem">
      <Icon name="error" />
      <span>
        <UntrustedText text={text} limit={1200} />
      </span>
    </p>
  );
}
