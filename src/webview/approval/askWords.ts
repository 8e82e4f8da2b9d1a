import type { Ask, AskSubject } from '../../protocol/asks.ts';
import type { AlwaysChoice, AskedCommand, PermissionScope } from '../../protocol/permissions.ts';

export const verbs: Readonly<Record<AskSubject['kind'], string>> = {
  edit: 'Accept',
  command: 'Run',
  fetch: 'Fetch',
  read: 'Allow',
  questions: 'Send',
  plan: 'Approve',
  mode: 'Switch',
  other: 'Allow',
};

const scopes: Readonly<Record<PermissionScope, string>> = {
  session: 'in this session',
  workspace: 'in this workspace',
  user: 'for you, in every workspace',
};

/** `Always npm test, in this workspace`. */
export function describeChoice({ label, scope }: AlwaysChoice): string {
  return `${label}, ${scopes[scope]}`;
}

/** Journals of earlier versions hold one sentence here, or nothing. */
export function lastingChoices({ always }: Ask): readonly AlwaysChoice[] {
  return Array.isArray(always) ? always : [];
}

export function dangersOf({ commands = [] }: Ask): readonly AskedCommand[] {
  return commands.filter(({ verdict }) => verdict === 'dangerous');
}
