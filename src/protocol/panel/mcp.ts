/* Servers of the Model Context Protocol, as the panel shows them. */

import type { Intention } from '../intentions.ts';
import type { OriginKind } from './customizations.ts';

export interface McpServer {
  readonly name: string;
  readonly origin: OriginKind;
  /** The file that names it, relative where it lies in the workspace; of VS Code's own: where it is set. */
  readonly file: string;
  readonly description?: string;
  readonly transport: 'stdio' | 'sse' | 'http' | 'vscode';
  readonly status: McpStatus;
  readonly tools: readonly McpTool[];
  readonly prompts: number;
  readonly resources: number;
  /** Newest line of its log or of the standard error of its process. */
  readonly lastLog?: string;
}

export type McpStatus =
  | { readonly kind: 'starting' }
  | { readonly kind: 'ready' }
  /** A restart comes at `until`, milliseconds since the Unix epoch. */
  | { readonly kind: 'retrying'; readonly reason: string; readonly until: number }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'needsSignIn' }
  /** The workspace brings it, and the user has not let it run. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'disabled' };

export interface McpTool {
  /** As the server names it. */
  readonly name: string;
  readonly description: string;
  /** The server says that it changes nothing. */
  readonly readOnly: boolean;
  /** False: the configuration leaves it out. */
  readonly enabled: boolean;
  /** Says that a model service refused it, and why. */
  readonly refused?: string;
}

export type McpAction = Intention<'mcp.act'>['action'];
