import { plural, t } from '../../protocol/language.ts';
import type { OriginKind } from '../../protocol/panel/customizations.ts';
import type { McpAction, McpServer, McpTool } from '../../protocol/panel/mcp.ts';
import { formatDuration } from '../ui/format.ts';
import type { IconName } from '../ui/icons.ts';

export const stateIcons: Readonly<Record<McpServer['status']['kind'], IconName>> = {
  starting: 'loading',
  ready: 'check',
  retrying: 'loading',
  failed: 'error',
  needsSignIn: 'lock',
  waiting: 'question',
  disabled: 'circle-slash',
};

/** Describes the state. Counts down while a restart is scheduled. */
export function describeState({ status, tools }: McpServer, now: number): string {
  switch (status.kind) {
    case 'starting':
      return t('Starting');
    case 'ready':
      return describeTools(tools);
    case 'retrying':
      return t('Starts again in {0}', formatDuration(status.until - now));
    case 'failed':
      return t('Failed');
    case 'needsSignIn':
      return t('Needs sign-in');
    case 'waiting':
      return t('Waiting for you');
    case 'disabled':
      return t('Disabled');
  }
}

function describeTools(tools: readonly McpTool[]): string {
  const used = tools.filter(({ enabled }) => enabled).length;
  if (tools.length === 0) return t('Ready, no tools');
  return used === tools.length
    ? plural(used, 'one: {0} tool | other: {0} tools')
    : plural(tools.length, 'one: {1} of {0} tool | other: {1} of {0} tools', used);
}

/** Returns why the server does not work, if known. */
export function reasonOf({ status }: McpServer): string | undefined {
  return status.kind === 'failed' || status.kind === 'retrying' ? status.reason : undefined;
}

export const originLabels = (): Readonly<Record<OriginKind, string>> => ({
  builtIn: t('Built in'),
  person: t('Yours'),
  workspace: t('This workspace'),
  extension: t('An extension'),
});

export const transportLabels = (): Readonly<Record<McpServer['transport'], string>> => ({
  stdio: t('program'),
  sse: 'SSE',
  http: 'HTTP',
  vscode: 'VS Code',
});

export const actionWords = (): Readonly<Record<McpAction, string>> => ({
  restart: t('Restart'),
  enable: t('Enable'),
  disable: t('Disable'),
  signIn: t('Sign in'),
  signOut: t('Sign out'),
  showLog: t('Show log'),
  openFile: t('Open file'),
});

export interface Actions {
  /** Most important action in this state, shown as a button. */
  readonly first?: McpAction;
  readonly others: readonly McpAction[];
}

/** Returns true for a server of a file that `mcp.add` writes. */
export function isRemovable({ origin, file }: McpServer): boolean {
  return (
    (origin === 'person' || origin === 'workspace') && /(^|[\\/])\.gemini[\\/]settings\.json$/.test(file)
  );
}

export function actionsOf({ status, transport }: McpServer): Actions {
  // VS Code runs its own servers. Folio can only exclude them.
  const isOurs = transport !== 'vscode';
  const isRemote = transport === 'http' || transport === 'sse';
  const scanning: readonly McpAction[] = ['showLog', 'openFile'];
  switch (status.kind) {
    case 'waiting':
      return { others: ['openFile'] };
    case 'disabled':
      return { first: 'enable', others: ['openFile'] };
    case 'needsSignIn':
      return { first: 'signIn', others: ['disable', ...scanning] };
    case 'failed':
    case 'retrying':
      return {
        first: isOurs ? 'restart' : undefined,
        others: [...(isRemote ? (['signOut'] as const) : []), 'disable', ...scanning],
      };
    case 'starting':
      return { others: ['disable', ...scanning] };
    case 'ready':
      return {
        others: [
          ...(isOurs ? (['restart'] as const) : []),
          ...(isRemote ? (['signOut'] as const) : []),
          'disable',
          ...scanning,
        ],
      };
  }
}
