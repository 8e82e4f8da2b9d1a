import { t } from '../../protocol/language.ts';
import type { OpenStatus } from '../../protocol/panel/sessions.ts';

export const statusWords = (): Readonly<Record<OpenStatus, string>> => ({
  waiting: t('Waiting for you'),
  working: t('Working'),
  failed: t('Ended in an error'),
  reviewing: t('Changes to review'),
  resting: t('Is open'),
});

export function StatusMark({ status }: { readonly status: OpenStatus }) {
  return (
    <>
      <span class={`pulse ${status}`} title={statusWords()[status]} aria-hidden="true" />
      <span class="sr-only">{statusWords()[status]}: </span>
    </>
  );
}
