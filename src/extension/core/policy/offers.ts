import type { AlwaysChoice, PermissionScope } from '../../../protocol/permissions.ts';
import { type Grant, type GrantSubject, makeGrant, nameOf } from './grants.ts';

/** A choice of the ask card, and what it would grant. */
export interface Offer extends AlwaysChoice {
  readonly grants: readonly Grant[];
}

/**
 * For each group of subjects, one offer a scope; the narrowest group comes first.
 * @param isKept there is a place on the disk for what outlasts the session
 */
export function makeOffers(
  groups: readonly (readonly GrantSubject[])[],
  { workspace, isKept }: { readonly workspace: string | undefined; readonly isKept: boolean },
): readonly Offer[] {
  const scopes: readonly PermissionScope[] = isKept
    ? ['session', ...(workspace === undefined ? [] : (['workspace'] as const)), 'user']
    : ['session'];
  return groups.flatMap((subjects, index) =>
    scopes.map(scope => ({
      id: index === 0 ? scope : `${scope}.${index}`,
      scope,
      label: `Always ${subjects.map(nameOf).join(' and ')}`,
      grants: subjects.map(subject => makeGrant(subject, scope, workspace)),
    })),
  );
}
