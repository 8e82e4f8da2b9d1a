import { formatList, t } from '../../../protocol/language.ts';
import type { AlwaysChoice, PermissionScope } from '../../../protocol/permissions.ts';
import type { CallTarget } from '../tool.ts';
import { type Grant, type GrantSubject, grantPhrase, hostOf, makeGrant } from './grants.ts';

/** A choice on the approval card and the grants it creates. */
export interface PermissionOffer extends AlwaysChoice {
  readonly grants: readonly Grant[];
}

/**
 * Creates one offer per group of subjects and scope, the narrowest group first.
 * @param isKept true if permissions can be stored beyond the session
 */
export function makeOffers(
  groups: readonly (readonly GrantSubject[])[],
  { workspace, isKept }: { readonly workspace: string | undefined; readonly isKept: boolean },
): readonly PermissionOffer[] {
  const scopes: readonly PermissionScope[] = isKept
    ? ['session', ...(workspace === undefined ? [] : (['workspace'] as const)), 'user']
    : ['session'];
  return groups.flatMap((subjects, index) =>
    scopes.map(scope => ({
      id: index === 0 ? scope : `${scope}.${index}`,
      scope,
      label: labelOf(subjects),
      grants: subjects.map(subject => makeGrant(subject, scope, workspace)),
    })),
  );
}

/** Converts an offer for the card. */
export function offerToChoice({ id, scope, label }: PermissionOffer): AlwaysChoice {
  return { id, scope, label };
}

/** The reason of the request already names several sandbox grants, which are too long for a button. */
function labelOf(subjects: readonly GrantSubject[]): string {
  const isOfSandbox = subjects.every(({ kind }) => kind === 'sandboxWrite' || kind === 'sandboxHost');
  if (isOfSandbox && subjects.length > 1) return t('Always allow all of these');
  const names = formatList(subjects.map(grantPhrase));
  return subjects.every(({ kind }) => kind === 'command')
    ? t('Always run {0}', names)
    : t('Always {0}', names);
}

/** Lists subjects from the narrowest to the broadest. */
export function subjectsOf(
  target: CallTarget | undefined,
  real: string | undefined,
): readonly (readonly GrantSubject[])[] {
  switch (target?.kind) {
    case 'paths':
      return target.access === 'write' && target.paths.length === 1 && real !== undefined
        ? [[{ kind: 'path', path: real }]]
        : [];
    case 'memory':
      return [[{ kind: 'memory', path: target.path }]];
    case 'urls': {
      const hosts = [...new Set(target.urls.map(hostOf))];
      const [host] = hosts;
      return hosts.length === 1 && host ? [[{ kind: 'host', host }]] : [];
    }
    case 'agent':
      return [[{ kind: 'agentServer', origin: target.origin }]];
    case 'mcp': {
      const { server, tool } = target;
      return [[{ kind: 'mcpTool', server, tool }], [{ kind: 'mcpServer', server }]];
    }
    case 'command':
    case 'typed':
    case undefined:
      return [];
  }
}
