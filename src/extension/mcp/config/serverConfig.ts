import type { OriginKind } from '../../../protocol/panel/customizations.ts';
import type { Question } from '../../../protocol/questions.ts';
import type { ProgramGrants } from '../../platform/sandbox.ts';

export interface ServerConfig {
  readonly name: string;
  readonly origin: OriginKind;
  readonly source: TransportConfig;
  /** Time limit of a call without progress. Time spent waiting for the user does not count. */
  readonly timeoutMs: number;
  /** The user said that its tools need no confirmation. */
  readonly trusted: boolean;
  readonly description?: string;
  /** Omitted means all. */
  readonly includeTools?: readonly string[];
  /** Wins over `includeTools`. */
  readonly excludeTools: readonly string[];
  readonly oauth: OAuthConfig;
  /** Values in `source` to mask everywhere. Omitted if none are known. */
  readonly secrets?: readonly string[];
  /** Names of `${input:…}` variables that `source` still contains until the user is asked. */
  readonly inputs: readonly string[];
  /** The questions for them, where the file defines any. */
  readonly questions: Readonly<Record<string, InputQuestion>>;
}

export interface InputQuestion extends Question {
  /** Used if the answer is empty. */
  readonly otherwise?: string;
}

export type TransportConfig =
  | StdioSource
  /** `orSse`: the entry does not say which transport it is, so SSE is tried after HTTP fails. */
  | { readonly kind: 'http'; readonly url: string; readonly headers: StringRecord; readonly orSse: boolean }
  | { readonly kind: 'sse'; readonly url: string; readonly headers: StringRecord }
  /** A server that VS Code runs. */
  | { readonly kind: 'vscode'; readonly id: string };

interface StdioSource {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute path. */
  readonly cwd: string;
  readonly env: StringRecord;
  /** Absolute path. Variables in `env` win. */
  readonly envFile?: string;
  /** Runs in the sandbox or not at all. Omitted for no sandbox. */
  readonly sandbox?: ProgramGrants;
}

export type StringRecord = Readonly<Record<string, string>>;

/** Missing values are discovered from the server. */
export interface OAuthConfig {
  readonly enabled: boolean;
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Address of the document that identifies Folio, for services that accept it as the client id. */
  readonly clientMetadataUrl?: string;
  readonly issuer?: string;
  readonly authorizationUrl?: string;
  readonly tokenUrl?: string;
  readonly registrationUrl?: string;
  readonly scopes?: readonly string[];
  readonly audiences?: readonly string[];
  readonly redirectUri?: string;
}

/** An exclusion wins over an inclusion. */
export function isToolEnabled({ includeTools, excludeTools }: ServerConfig, name: string): boolean {
  return !excludeTools.includes(name) && (includeTools?.includes(name) ?? true);
}
