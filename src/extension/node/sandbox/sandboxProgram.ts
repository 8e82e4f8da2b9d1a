/* Runs configured programs, such as servers and hooks, in the sandbox or not at all. */

import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';
import type { Sandbox, SandboxedProcess, SandboxedProgram } from '../../platform/sandbox.ts';

export async function sandboxProgram(
  { grants, cwd, lasting }: SandboxedProgram,
  home: string,
  sandbox: Pick<Sandbox, 'whyMissing' | 'contain'>,
): Promise<SandboxedProcess> {
  const why = await sandbox.whyMissing();
  if (why !== undefined)
    throw new LocalizedError(() =>
      t(
        'It does not run: its entry requires the sandbox, which is not available. {0} To run it without a sandbox, remove "sandbox" from its entry.',
        why(),
      ),
    );
  // The program's start reports a missing folder.
  const real = (base: string) => realpath(base).catch(() => base);
  const bases = await Promise.all([cwd, home].map(async base => [base, await real(base)] as const));
  // Rejects a grant behind a link, except if a home or workspace is itself reached through one.
  const absolute = (path: string) => {
    const whole = resolve(cwd, path.replace(/^~(?=\/|$)/, home));
    const [base, now] = bases.find(([each]) => whole.startsWith(`${each}/`)) ?? ['', ''];
    return now + whole.slice(base.length);
  };
  const [write, read] = [grants.write.map(absolute), grants.read.map(absolute)];
  return await sandbox.contain({ grants: { write, hosts: grants.hosts }, read, lasting, background: false });
}

export function noWindowsSandboxMessage(): string {
  return t(
    'Folio has no command sandbox on Windows. Open the folder in WSL, which has one, or set "folio.sandbox" to "ask".',
  );
}
