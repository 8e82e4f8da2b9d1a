import { t } from '../../../protocol/language.ts';

/** The machine where Folio and the files are, which may differ from the user's. */
export interface HostMachine {
  /** Name within a sentence. */
  readonly name: string;
  readonly isElsewhere: boolean;
}

/** @param remoteName VS Code's `env.remoteName`: a kind of remote, an address in a browser, or nothing */
export function machineOf(remoteName: string | undefined): HostMachine {
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
