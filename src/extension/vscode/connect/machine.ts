/** The machine where Folio runs: that of the files, which need not be the one that the person sits at. */
export interface Machine {
  /** As it reads in a sentence. */
  readonly name: string;
  readonly isElsewhere: boolean;
}

/** @param remoteName `env.remoteName` of VS Code: a kind of other machine, an address in a browser, or nothing */
export function machineOf(remoteName: string | undefined): Machine {
  const name = elsewhere.get(remoteName ?? '');
  return name === undefined ? { name: 'this machine', isElsewhere: false } : { name, isElsewhere: true };
}

const elsewhere: ReadonlyMap<string, string> = new Map([
  ['ssh-remote', 'the machine behind SSH'],
  ['wsl', 'the Linux of WSL'],
  ['tunnel', 'the machine behind the tunnel'],
  ['dev-container', 'this container'],
  ['attached-container', 'this container'],
  ['codespaces', 'this codespace'],
]);
