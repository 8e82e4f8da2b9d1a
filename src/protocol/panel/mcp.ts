import type { Intention } from '../intentions.ts';
import type { OriginKind } from './customizations.ts';

export interface McpServer {
  readonly name: string;
  readonly origin: OriginKind;
  /** File that defines it, relative if in the workspace. For VS Code's settings: where it is set. */
  readonly file: string;
  readonly description?: string;
  readonly transport: 'stdio' | 'sse' | 'http' | 'vscode';
  readonly status: McpStatus;
  readonly tools: readonly McpTool[];
  readonly prompts: number;
  readonly resources: number;
  /** Newest line of its log or standard error. */
  readonly lastLog?: string;
}

export type McpStatus =
  | { readonly kind: 'starting' }
  | { readonly kind: 'ready' }
  /** Restarts at `until`, in milliseconds since the Unix epoch. */
  | { readonly kind: 'retrying'; readonly reason: string; readonly until: number }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'needsSignIn' }
  /** The workspace brings it, and the user has not allowed it. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'disabled' };

export interface McpTool {
  /** As the server names it. */
  readonly name: string;
  readonly description: string;
  /** True if the server declares it read-only. */
  readonly readOnly: boolean;
  /** False if the configuration excludes it. */
  readonly enabled: boolean;
  /** Reason why a model service refused the tool. */
  readonly refused?: string;
}

export type McpAction = Intention<'mcp.act'>['action'];
