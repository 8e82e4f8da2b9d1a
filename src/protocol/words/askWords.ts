import type { AskSubject } from '../asks.ts';
import type { Classified } from '../events.ts';
import { t } from '../language.ts';
import type { AlwaysChoice } from '../permissions.ts';

export const acceptLabels = (): Readonly<Record<AskSubject['kind'], string>> => ({
  edit: t('Accept'),
  command: t('Run'),
  fetch: t('Fetch'),
  connect: t('Connect'),
  read: t('Allow'),
  questions: t('Send'),
  plan: t('Approve'),
  mode: t('Switch'),
  other: t('Allow'),
});

export const acceptAnywayLabels = (): Readonly<Record<AskSubject['kind'], string>> => ({
  edit: t('Accept anyway'),
  command: t('Run anyway'),
  fetch: t('Fetch anyway'),
  connect: t('Connect anyway'),
  read: t('Allow anyway'),
  questions: t('Send anyway'),
  plan: t('Approve anyway'),
  mode: t('Switch anyway'),
  other: t('Allow anyway'),
});

const scopes = (): Readonly<Record<AlwaysChoice['scope'], string>> => ({
  once: t('this once'),
  session: t('in this session'),
  workspace: t('in this workspace'),
  user: t('for you, in every workspace'),
});

/** Returns for example `Always run npm test *, in this workspace`. */
export function describeChoice({ label, scope }: AlwaysChoice): string {
  return `${label}, ${scopes()[scope]}`;
}

/** Says which model classified a command, and its answer. */
export function describeClassified({ model, answer, reason }: Classified): string {
  return answer === 'allow'
    ? t('Allowed by {0}: {1}', model, reason)
    : t('{0} leaves this to you: {1}', model, reason);
}
