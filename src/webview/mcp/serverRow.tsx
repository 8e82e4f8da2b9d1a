import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { formatList, plural, t } from '../../protocol/language.ts';
import type { McpAction, McpServer, McpTool } from '../../protocol/panel/mcp.ts';
import { headOf } from '../../protocol/words/cutText.ts';
import { usePanel } from '../panel/panel.ts';
import { LinkButton } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { memo } from '../ui/memo.ts';
import { Menu } from '../ui/menu.tsx';
import { UntrustedText } from '../ui/untrustedText.tsx';
import { useCardOpen } from '../ui/useCardOpen.ts';
import { withElements } from '../ui/words.tsx';
import {
  actionsOf,
  actionWords,
  describeState,
  isRemovable,
  originLabels,
  reasonOf,
  stateIcons,
  transportLabels,
} from './mcpWords.ts';
import { ServerTools } from './serverTools.tsx';

interface ServerRowProps {
  readonly server: McpServer;
  readonly tools: readonly McpTool[];
  /** True while the filter is used, which unfolds matches. */
  readonly isSearch: boolean;
}

/** Row of a server. Enter unfolds its tools. */
export const ServerRow = memo(function ServerRow({ server, tools, isSearch }: ServerRowProps) {
  const { name, status, description } = server;
  const [isOpen, toggle] = useCardOpen(`mcp ${isSearch ? 'found ' : ''}${name}`, isSearch);
  const row = useRef<HTMLButtonElement>(null);
  const icon = stateIcons[status.kind];
  const reason = reasonOf(server);
  return (
    <li class={`mcp-server mcp-${status.kind}`}>
      <div class="row-with-action">
        <button type="button" ref={row} class="row" aria-expanded={isOpen} onClick={toggle}>
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} class="quiet" />
          <Icon name={icon} class={icon === 'loading' ? 'spin' : 'row-status'} />
          <span class="mcp-words">
            <span class="row-title ellipsis" title={headOf(name, 200)}>
              <UntrustedText text={name} limit={80} />
            </span>
            <span class="mcp-state">
              <State server={server} />
            </span>
          </span>
        </button>
        <ServerActions server={server} row={row} />
      </div>
      {reason && (
        <p class="mcp-reason">
          <UntrustedText text={reason} limit={600} />
        </p>
      )}
      {isOpen && (
        <div class="mcp-detail">
          {description && (
            <p>
              <UntrustedText text={description} />
            </p>
          )}
          <Facts server={server} />
          <ServerTools tools={tools} />
        </div>
      )}
    </li>
  );
});

/** A separate component, since it may count down. */
function State({ server }: { readonly server: McpServer }) {
  const { store } = usePanel();
  return describeState(server, server.status.kind === 'retrying' ? store.now.value : 0);
}

interface ServerActionsProps {
  readonly server: McpServer;
  /** Row that gets the focus if the pressed button unmounts. */
  readonly row: RefObject<HTMLElement | null>;
}

function ServerActions({ server, row }: ServerActionsProps) {
  const { store, act } = usePanel();
  const { name, status } = server;
  const { first, others } = actionsOf(server);
  const isPressed = useRef(false);
  const make = (action: McpAction) => () => {
    isPressed.current = true;
    act({ type: 'mcp.act', server: name, action });
  };
  // Leads to the transcript, where the card asks again if it was refused.
  const decide = () => {
    store.view.value = 'transcript';
    act({ type: 'mcp.act', server: name, action: 'enable' });
  };
  const label = status.kind === 'waiting' ? t('Decide') : first && actionWords()[first];
  useLayoutEffect(() => {
    if (isPressed.current && document.activeElement === document.body) row.current?.focus();
    isPressed.current = false;
  }, [label]);
  return (
    <>
      {label && (
        <LinkButton aria-label={`${label}: ${name}`} onClick={first ? make(first) : decide}>
          {label}
        </LinkButton>
      )}
      <Menu
        label={t('More actions of {0}', name)}
        groups={[
          others.map(action => ({ label: actionWords()[action], onPress: make(action) })),
          isRemovable(server)
            ? [{ label: t('Remove…'), onPress: () => act({ type: 'mcp.remove', server: name }) }]
            : [],
        ]}
      />
    </>
  );
}

function Facts({ server }: { readonly server: McpServer }) {
  const { act } = usePanel();
  const { name, origin, file, transport, prompts, resources, lastLog } = server;
  const offers = [
    ...(prompts > 0 ? [plural(prompts, 'one: {0} prompt | other: {0} prompts')] : []),
    ...(resources > 0 ? [plural(resources, 'one: {0} resource | other: {0} resources')] : []),
  ];
  return (
    <div class="quiet">
      <p>
        {originLabels()[origin]}, {transportLabels()[transport]} ·{' '}
        <LinkButton title={file} onClick={() => act({ type: 'mcp.act', server: name, action: 'openFile' })}>
          <UntrustedText text={file} />
        </LinkButton>
      </p>
      {offers.length > 0 && <p>{t('Also {0}.', formatList(offers))}</p>}
      {lastLog && (
        <p class="mcp-log">{withElements(t('Last log line: {0}'), <UntrustedText text={lastLog} />)}</p>
      )}
    </div>
  );
}
