import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { plural, t } from '../../protocol/language.ts';
import type { McpTool } from '../../protocol/panel/mcp.ts';
import { LinkButton } from '../ui/controls.tsx';
import { firstOf } from '../ui/format.ts';
import { UntrustedText } from '../ui/untrustedText.tsx';

/** Tools shown at first. A server may have hundreds. */
const firstTools = 30;

export function ServerTools({ tools }: { readonly tools: readonly McpTool[] }) {
  const isWhole = useSignal(false);
  const list = useRef<HTMLUListElement>(null);
  // The pressed button unmounts, so the first new tool gets the focus.
  useLayoutEffect(() => {
    const next = list.current?.children[firstTools];
    if (isWhole.value && next instanceof HTMLElement) next.focus();
  }, [isWhole.value]);
  const shown = isWhole.value ? tools : firstOf(tools, firstTools);
  const left = tools.length - shown.length;
  if (tools.length === 0) return null;
  return (
    <>
      <ul class="mcp-tools" aria-label={t('Tools')} ref={list}>
        {shown.map(tool => (
          <Tool key={tool.name} tool={tool} />
        ))}
      </ul>
      {left > 0 && (
        <LinkButton onClick={() => (isWhole.value = true)}>
          {plural(left, 'one: Show {0} more tool | other: Show {0} more tools')}
        </LinkButton>
      )}
    </>
  );
}

function Tool({ tool: { name, description, readOnly, enabled, refused } }: { readonly tool: McpTool }) {
  const marks = [
    readOnly && t('declared read-only'),
    !enabled && t('excluded by the configuration'),
    refused,
  ];
  const words = marks.filter(Boolean).join(', ');
  return (
    <li class={enabled ? undefined : 'left-out'} tabIndex={-1}>
      <p>
        <code>
          <UntrustedText text={name} limit={128} />
        </code>
        {words && <span class="quiet"> · {words}</span>}
      </p>
      {description && (
        <p class="quiet">
          <UntrustedText text={description} />
        </p>
      )}
    </li>
  );
}
