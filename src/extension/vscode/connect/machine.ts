import { t } from '../../../protocol/language.ts';

/** The machine where Folio runs: that of the files, which need not be the one that the user sits at. */
export interface Machine {
  /** As it reads in a sentence. */
  readonly name: string;
  readonly isElsewhere: boolean;
}

/** @param remoteName `env.remoteName` of VS Code: a kind of other machine, an address in a browser, or nothing */
export function machineOf(remoteName: string | undefined): Machine {
  const name = elsewhere.get(remoteName ?? '');
  return name === undefined
    ? { name: t('this machine'), isElsewhere: false }
    : { name: name(), isElsewhere: true };
}

const elsewhere: ReadonlyMap<string, () => string> = new Map([
  ['ssh-remote', () => t('the machine behind SSH')],
  ['wsl', () => t('the Linux of WSL')],
  ['tunnel', () => t('the machine behind the tunnel')],
  ['dev-container', () => t('this container')],
  ['attached-container', () => t('this container')],
  ['codespaces', () => t('this codespace')],
]);
