import { useComputed } from '@preact/signals';
import { escapeInvisibleText } from '../../extension/base/hiddenText.ts';
import { t } from '../../protocol/language.ts';
import type { PendingCustomization } from '../../protocol/panel/customizations.ts';
import { usePanel } from '../panel/panel.ts';
import { Button, LinkButton } from '../ui/controls.tsx';
import { UntrustedText } from '../ui/untrustedText.tsx';
import { useMisclickGuard } from '../ui/useMisclickGuard.ts';
import {
  describeGroups,
  groupPendingCustomizations,
  type PendingCustomizationGroup,
} from './unseenGroups.ts';

/**
 * Asks about customizations of the workspace, which are off until the user decides. One press decides on all listed
 * ones. It never takes the focus.
 */
export function WorkspaceConsentCard() {
  const { store, act } = usePanel();
  const { unseen = [] } = useComputed(() => store.environment.value).value ?? {};
  const groups = groupPendingCustomizations(unseen);
  const ids = unseen.map(({ id }) => id);
  // Decides only on items that were visible for a moment before the press.
  const isHeld = useMisclickGuard(ids.join());
  const decide = (allowed: boolean) => {
    if (isHeld) return;
    store.focusRequests.value++;
    act({ type: 'unseen.decide', allowed, ids });
  };
  const title = t('This workspace wants to add {0}', describeGroups(groups));
  return (
    <>
      <div class="sr-only" role="status">
        {groups.length > 0 && title}
      </div>
      {groups.length > 0 && (
        <section class="unseen" aria-label={title}>
          <p>{`${title}. ${t('Nothing is active until you allow it.')}`}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex lint/a11y/useSemanticElements: a long list scrolls, also by key. */}
          <div class="unseen-list" role="group" tabIndex={0} aria-label={t('What it contains')}>
            {groups.map(group => (
              <Group key={group.kind} group={group} />
            ))}
          </div>
          {/* biome-ignore lint/a11y/useSemanticElements: two buttons are no set of form fields. */}
          <div
            class="buttons"
            role="group"
            aria-label={t('Your decision')}
            aria-disabled={isHeld || undefined}
          >
            <Button onPress={() => decide(true)}>{t('Allow')}</Button>
            <Button onPress={() => decide(false)}>{t('Not now')}</Button>
          </div>
        </section>
      )}
    </>
  );
}

/** Longer groups are folded, except programs. */
const seenAtOnce = 5;

function Group({ group }: { readonly group: PendingCustomizationGroup }) {
  const { kind, count, meaning, isProgram, items } = group;
  return (
    <details open={isProgram || items.length <= seenAtOnce}>
      <summary>
        <h2>{count}</h2>
      </summary>
      <p class="quiet">{meaning}</p>
      <ul>
        {items.map((item, index) => (
          <Item key={`${kind} ${index}`} item={item} isProgram={isProgram} />
        ))}
      </ul>
    </details>
  );
}

function Item({ item, isProgram }: { readonly item: PendingCustomization; readonly isProgram: boolean }) {
  const { store, act } = usePanel();
  const { name, detail, file } = item;
  const folder = store.environment.value?.folders.find(
    each => file.startsWith(each) && /^[\\/]/.test(file.slice(each.length)),
  );
  return (
    <li>
      <div class="unseen-where">
        <span class="ellipsis">
          <UntrustedText text={name} limit={80} />
        </span>
        <LinkButton class="ellipsis" title={file} onClick={() => act({ type: 'file.open', path: file })}>
          <UntrustedText text={folder ? file.slice(folder.length + 1) : file} />
        </LinkButton>
      </div>
      {detail && isProgram && <code class="unseen-command">{escapeInvisibleText(detail)}</code>}
      {detail && !isProgram && (
        <p class="quiet">
          <UntrustedText text={detail} />
        </p>
      )}
    </li>
  );
}
