import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../protocol/language.ts';
import type { Permission } from '../../protocol/permissions.ts';
import { usePanel } from '../panel/panel.ts';
import { LinkButton } from '../ui/controls.tsx';
import { ListPage } from '../ui/listPage.tsx';
import { useFocusInPlace } from '../ui/useFocusInPlace.ts';
import { wordsMatcher } from '../ui/words.tsx';
import { PermissionRow } from './permissionRow.tsx';

/** Page of all rules in force, with their source and removal. */
export function PermissionsPage() {
  const { store, act } = usePanel();
  const filter = useSignal('');
  const root = useRef<HTMLElement>(null);
  useFocusInPlace(root, rows, () => root.current?.focus());
  const permissions = store.permissions.value;
  const isFiltered = filter.value.trim() !== '';
  const found = findPermissions(permissions ?? [], filter.value);
  useEffect(() => {
    act({ type: 'permissions.list' });
  }, [act]);
  const change = (words: string) => (filter.value = words);
  const remove = (id: string) => act({ type: 'permission.remove', id });
  return (
    <ListPage
      title={t('Permissions')}
      rows={rows}
      root={root}
      search={
        permissions?.length === 0
          ? undefined
          : { label: t('Filter permissions'), words: filter, onChange: change }
      }
    >
      {!permissions && <p class="list-empty list-loading">{t('Reading the rules…')}</p>}
      {permissions?.length === 0 && (
        <p class="list-empty">{t('There are no rules. Folio asks before each change and each command.')}</p>
      )}
      {permissions && !isFiltered && <Yours hasNone={permissions.length > 0 && !permissions.some(isOwn)} />}
      {permissions && permissions.length > 0 && found.length === 0 && (
        <p class="list-empty">{t('No permission matches “{0}”.', filter.value)}</p>
      )}
      <div class="sessions">
        {groupPermissions(found).map(group => (
          // The key resets folds, so that they do not hide what the filter finds.
          <Group
            key={`${group.tier} ${isFiltered}`}
            group={group}
            isOpen={isFiltered || group.tier !== 'default'}
            onRemove={remove}
          />
        ))}
      </div>
    </ListPage>
  );
}

function isOwn({ tier }: Permission): boolean {
  return tier !== 'default';
}

/** Button that opens the file of own rules, with a hint if there are none. */
function Yours({ hasNone }: { readonly hasNone: boolean }) {
  const { act } = usePanel();
  return (
    <div class="list-empty">
      {hasNone && (
        <p>
          {t('You have no rules yet. “Always …” on a card adds one. You can also write rules into a file.')}
        </p>
      )}
      <LinkButton onClick={() => act({ type: 'permission.add' })}>{t('Add rule…')}</LinkButton>
    </div>
  );
}

const rows = 'details[open] .permission';

interface GroupProps {
  readonly group: PermissionGroup;
  /** False for Folio's many defaults, which are folded until searched. */
  readonly isOpen: boolean;
  readonly onRemove: (id: string) => void;
}

function Group({ group, isOpen, onRemove }: GroupProps) {
  return (
    <details open={isOpen}>
      <summary>
        <h2>{group.title}</h2>
        <span class="quiet">{group.permissions.length}</span>
      </summary>
      <ul>
        {group.permissions.map(permission => (
          <PermissionRow key={permission.id} permission={permission} onRemove={onRemove} />
        ))}
      </ul>
    </details>
  );
}

interface PermissionGroup {
  readonly tier: Permission['tier'];
  readonly title: string;
  readonly permissions: readonly Permission[];
}

const titles = (): Readonly<Record<Permission['tier'], string>> => ({
  admin: t('Set by an administrator'),
  session: t('In this session'),
  user: t('Yours'),
  workspace: t('In this workspace'),
  extension: t('From extensions'),
  default: t("Folio's defaults"),
});

/** Groups rules by source, in the order of evaluation. */
function groupPermissions(permissions: readonly Permission[]): readonly PermissionGroup[] {
  const tiers = [...new Set(permissions.map(({ tier }) => tier))];
  return tiers.map(tier => ({
    tier,
    title: titles()[tier],
    permissions: permissions.filter(each => each.tier === tier),
  }));
}

/** Filters rules. Each word must occur in the row. */
function findPermissions(permissions: readonly Permission[], filter: string): readonly Permission[] {
  const isFound = wordsMatcher(filter);
  return permissions.filter(({ decision, subject, origin, tier }) =>
    isFound(`${decision} ${subject} ${origin} ${titles()[tier]}`),
  );
}
