import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../protocol/language.ts';
import type { McpServer, McpTool } from '../../protocol/panel/mcp.ts';
import { usePanel } from '../panel/panel.ts';
import { Button, LinkButton } from '../ui/controls.tsx';
import { ListPage } from '../ui/listPage.tsx';
import { withElements, wordsMatcher } from '../ui/words.tsx';
import { describeState, reasonOf } from './mcpWords.ts';
import { ServerRow } from './serverRow.tsx';

/** Page of MCP servers: state, tools and actions. */
export function McpPage() {
  const { store, act } = usePanel();
  const filter = useSignal('');
  const servers = store.mcp.value;
  const found = filterTools(servers ?? [], filter.value);
  const isSearch = filter.value.trim() !== '';
  useEffect(() => {
    act({ type: 'mcp.list' });
  }, [act]);
  const change = (words: string) => (filter.value = words);
  const hasServers = servers !== undefined && servers.length > 0;
  return (
    <ListPage
      title={t('MCP servers')}
      rows=".mcp-server .row"
      search={
        servers?.length === 0
          ? undefined
          : { label: t('Filter servers and tools'), words: filter, onChange: change }
      }
    >
      <News servers={servers} />
      {!servers && <p class="list-empty list-loading">{t('Asking for the servers…')}</p>}
      {servers?.length === 0 && <NoServers />}
      {hasServers && found.length === 0 && (
        <p class="list-empty">{t('No server and no tool matches “{0}”.', filter.value)}</p>
      )}
      <ul class="sessions">
        {found.map(({ server, tools }) => (
          // The key resets folds, so that they do not hide what the filter finds.
          <ServerRow key={`${server.name} ${isSearch}`} server={server} tools={tools} isSearch={isSearch} />
        ))}
      </ul>
      {hasServers && <AddServer />}
    </ListPage>
  );
}

function AddServer({ kind }: { readonly kind?: 'primary' }) {
  const { act } = usePanel();
  return (
    <Button kind={kind} onPress={() => act({ type: 'mcp.add' })}>
      {t('Add server…')}
    </Button>
  );
}

function NoServers() {
  const { store, act } = usePanel();
  const isRestricted = store.environment.value?.trusted === false;
  return (
    <div class="list-empty mcp-none">
      {isRestricted && <p>{t('Restricted: servers that this workspace names are not read.')}</p>}
      <p>{t('No MCP servers yet.')}</p>
      <AddServer kind="primary" />
      <p>{t('Folio reads them from:')}</p>
      <ul>
        <li>
          {withElements(
            t('{0} in {1}, of your home or of this workspace'),
            <code>mcpServers</code>,
            <code>.gemini/settings.json</code>,
          )}
        </li>
        <li>{withElements(t('{0} in {1}'), <code>mcpServers</code>, <code>.mcp.json</code>)}</li>
        <li>{withElements(t('{0} in {1}'), <code>servers</code>, <code>.vscode/mcp.json</code>)}</li>
        <li>{withElements(t('the setting {0}'), <code>folio.mcpServers</code>)}</li>
      </ul>
      <LinkButton onClick={() => act({ type: 'settings.open' })}>{t("Open Folio's settings")}</LinkButton>
    </div>
  );
}

/** Announces changes of server states. */
function News({ servers }: { readonly servers: readonly McpServer[] | undefined }) {
  const before = useRef(servers);
  const said = useRef('');
  if (servers !== before.current) {
    const known = before.current;
    const changed = known && servers?.find(each => isOtherState(known, each));
    if (changed)
      said.current = [`${changed.name}: ${describeState(changed, Date.now())}`, reasonOf(changed)]
        .filter(Boolean)
        .join('. ');
    before.current = servers;
  }
  return (
    <div class="sr-only" role="status">
      {said.current}
    </div>
  );
}

function isOtherState(known: readonly McpServer[], { name, status }: McpServer): boolean {
  return known.find(each => each.name === name)?.status.kind !== status.kind;
}

interface FoundServer {
  readonly server: McpServer;
  /** Matching tools; all if only the server matches. */
  readonly tools: readonly McpTool[];
}

/**
 * Filters tools. Each word must occur in the tool or its server's name. A server whose name or file contains all words
 * keeps all tools.
 */
export function filterTools(servers: readonly McpServer[], filter: string): readonly FoundServer[] {
  const holds = wordsMatcher(filter);
  return servers.flatMap(server => {
    const { name, file, description = '', tools } = server;
    if (holds(`${name} ${file} ${description}`)) return [{ server, tools }];
    const found = tools.filter(tool => holds(`${name} ${tool.name} ${tool.description}`));
    return found.length > 0 ? [{ server, tools: found }] : [];
  });
}
