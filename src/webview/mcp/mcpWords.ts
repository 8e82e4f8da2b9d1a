/* A server's state and what can be done to it, in words. */

import type { OriginKind } from '../../protocol/panel/customizations.ts';
import type { McpAction, McpServer, McpTool } from '../../protocol/panel/mcp.ts';
import { formatDuration, plural } from '../ui/format.ts';
import type { IconName } from '../ui/icon.tsx';

export const stateIcons: Readonly<Record<McpServer['status']['kind'], IconName>> = {
  starting: 'loading',
  ready: 'check',
  retrying: 'loading',
  failed: 'error',
  needsSignIn: 'lock',
  waiting: 'question',
  disabled: 'circle-slash',
};

/** Moves with the clock while the server waits to be started again. */
export function describeState({ status, tools }: McpServer, now: number): string {
  switch (status.kind) {
    case 'starting':
      return 'Starting';
    case 'ready':
      return describeTools(tools);
    case 'retrying':
      return `Starts again in ${formatDuration(status.until - now)}`;
    case 'failed':
      return 'Failed';
    case 'needsSignIn':
      return 'Needs sign-in';
    case 'waiting':
      return 'Waiting for you';
    case 'disabled':
      return 'Disabled';
  }
}

function describeTools(tools: readonly McpTool[]): string {
  const used = tools.filter(({ enabled }) => enabled).length;
  if (tools.length === 0) return 'Ready, no tools';
  return used === tools.length ? plural(used, 'tool') : `${used} of ${plural(tools.length, 'tool')}`;
}

/** Why it does not work, where there is a reason. */
export function reasonOf({ status }: McpServer): string | undefined {
  return status.kind === 'failed' || status.kind === 'retrying' ? status.reason : undefined;
}

export const origins: Readonly<Record<OriginKind, string>> = {
  builtIn: 'Built in',
  person: 'Yours',
  workspace: 'This workspace',
  extension: 'An extension',
};

export const transports: Readonly<Record<McpServer['transport'], string>> = {
  stdio: 'program',
  sse: 'SSE',
  http: 'HTTP',
  vscode: 'VS Code',
};

export const actionWords: Readonly<Record<McpAction, string>> = {
  restart: 'Restart',
  enable: 'Enable',
  disable: 'Disable',
  signIn: 'Sign in',
  signOut: 'Sign out',
  showLog: 'Show log',
  openFile: 'Open file',
};

export interface Actions {
  /** The most urgent action in this state, as a button. */
  readonly first?: McpAction;
  readonly others: readonly McpAction[];
}

export function actionsOf({ status, transport }: McpServer): Actions {
  // VS Code runs its own: Folio can but leave them out.
  const isOurs = transport !== 'vscode';
  const isRemote = transport === 'http' || transport === 'sse';
  const looking: readonly McpAction[] = ['showLog', 'openFile'];
  switch (status.kind) {
    case 'waiting':
      return { others: ['openFile'] };
    case 'disabled':
      return { first: 'enable', others: ['openFile'] };
    case 'needsSignIn':
      return { first: 'signIn', others: ['disable', ...looking] };
    case 'failed':
    case 'retrying':
      return {
        first: isOurs ? 'restart' : undefined,
        others: [...(isRemote ? (['signOut'] as const) : []), 'disable', ...looking],
      };
    case 'starting':
      return { others: ['disable', ...looking] };
    case 'ready':
      return {
        others: [
          ...(isOurs ? (['restart'] as const) : []),
          ...(isRemote ? (['signOut'] as const) : []),
          'disable',
          ...looking,
        ],
      };
  }
}
