/*
 * Asks whether a session may work in the workspace's container, since starting it runs commands from its description.
 */

import { t } from '../../../protocol/language.ts';
import type { Container } from '../../../protocol/worktree.ts';
import { LocalizedError } from '../../base/errors.ts';
import type { ContainerEffect, ContainerPlan, Containers } from '../../platform/containers.ts';
import type { ConsentService } from '../consent/consentService.ts';
import { fingerprintOf } from '../consent/fingerprint.ts';

export type ContainerConsent = Pick<ConsentService, 'stateOf' | 'allow' | 'isTrusted'>;

export interface ContainerDialogs {
  /** `nobody`: no user can answer. */
  confirm(question: {
    readonly sentence: string;
    readonly text: string;
    readonly button: string;
  }): Promise<'yes' | 'no' | 'nobody'>;
}

export async function isContainerAllowed(
  plan: ContainerPlan,
  consent: Pick<ConsentService, 'stateOf'>,
): Promise<boolean> {
  return (await consent.stateOf(fingerprintOf('container', plan.whole))) === 'enabled';
}

/** Throws `LocalizedError` if there is none, or the user refuses. @param folder absolute */
export async function confirmContainer(
  containers: Pick<Containers, 'plan'>,
  consent: ContainerConsent,
  folder: string,
  user: ContainerDialogs,
  signal: AbortSignal,
): Promise<Container> {
  if (!consent.isTrusted)
    throw new LocalizedError(() => t('The workspace is restricted, so its container is not started.'));
  const plan = await containers.plan(folder, signal);
  const { inside } = plan;
  if (await isContainerAllowed(plan, consent)) return { inside };
  const answer = await user.confirm({
    sentence: t('Let the session run its commands in the container of this workspace?'),
    text: describePlan(plan),
    button: t('Start Container'),
  });
  if (answer === 'yes') {
    await consent.allow([fingerprintOf('container', plan.whole)]);
    return { inside };
  }
  throw new LocalizedError(() =>
    answer === 'no'
      ? t('The container is not started.')
      : t(
          'This container has not been allowed yet. Choose it once in a VS Code window, or run with --trusted.',
        ),
  );
}

function describePlan({ file, facts }: ContainerPlan): string {
  // Indented, since a line break could imitate another row.
  const rows = facts.map(
    ({ kind, text }) => `- ${words[kind]()}: ${text.trim().replace(/\s*[\r\n]+/g, '\n    ')}`,
  );
  const more = t('An image or a feature can add its own commands, mounts and permissions.');
  return [t('{0} describes it:', file), '', ...rows, '', more].join('\n');
}

const words: Readonly<Record<ContainerEffect['kind'], () => string>> = {
  image: () => t('image'),
  feature: () => t('feature'),
  onHost: () => t('runs on your computer, outside of the container'),
  command: () => t('runs in the container'),
  mount: () => t('mount'),
  privilege: () => t('gives the container more permissions'),
  variable: () => t('reads your environment variable'),
};
