import type { Permission } from '../../protocol/permissions.ts';

export interface PermissionGroup {
  readonly tier: Permission['tier'];
  readonly title: string;
  readonly permissions: readonly Permission[];
}

const titles: Readonly<Record<Permission['tier'], string>> = {
  admin: 'Set by an administrator',
  session: 'In this session',
  user: 'Yours',
  workspace: 'In this workspace',
  extension: 'From extensions',
  default: "Folio's defaults",
};

/** By where they come from, in the order in which the host asks them. */
export function groupPermissions(permissions: readonly Permission[]): readonly PermissionGroup[] {
  const tiers = [...new Set(permissions.map(({ tier }) => tier))];
  return tiers.map(tier => ({
    tier,
    title: titles[tier],
    permissions: permissions.filter(each => each.tier === tier),
  }));
}

/** Every word must be somewhere in what a row says. */
export function findPermissions(permissions: readonly Permission[], filter: string): readonly Permission[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return permissions.filter(({ decision, subject, origin, tier }) => {
    const text = `${decision} ${subject} ${origin} ${titles[tier]}`.toLowerCase();
    return words.every(word => text.includes(word));
  });
}
