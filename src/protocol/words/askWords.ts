/* What a person reads beside the ways to decide on a call. */

import type { AskSubject } from '../asks.ts';
import type { AlwaysChoice, PermissionScope } from '../permissions.ts';

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
