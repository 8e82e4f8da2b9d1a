/* Everything that is known of a server before it runs. */

import type { OriginKind } from '../../../protocol/panel/customizations.ts';
import type { Question } from '../../../protocol/questions.ts';
import type { ProgramGrants } from '../../platform/sandbox.ts';

export interface ServerConfig {
  readonly name: string;
  readonly origin: OriginKind;
  readonly source: ServerSource;
  /** Limit of a call, without progress and without a user's time. */
  readonly timeoutMs: number;
  /** The user said that its tools need not be asked about. */
  readonly trusted: boolean;
  readonly description?: string;
  /** Absent: all. */
  readonly includeTools?: readonly string[];
  /** Wins over what is included. */
  readonly excludeTools: readonly string[];
  readonly oauth: OAuthConfig;
  /** Values in `source` that are shown nowhere; absent: none are known. */
  readonly secrets?: readonly string[];
  /** Names of `${input:…}`, which stand in the texts of `source` until the user has been asked. */
  readonly inputs: readonly string[];
  /** In what words the user is asked for them, as far as the file says. */
  readonly questions: Readonly<Record<string, InputQuestion>>;
}

export interface InputQuestion extends Question {
  /** Counts when the answer is left empty. */
  readonly otherwise?: string;
}

export type ServerSource =
  | StdioSource
  /** `orSse`: nobody said which of the two it is, so the older one is tried when the newer one fails. */
  | { readonly kind: 'http'; readonly url: string; readonly headers: Texts; readonly orSse: boolean }
  | { readonly kind: 'sse'; readonly url: string; readonly headers: Texts }
  /** One that VS Code runs. */
  | { readonly kind: 'vscode'; readonly id: string };

interface StdioSource {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly env: Texts;
  /** Absolute; what `env` names wins. */
  readonly envFile?: string;
  /** It runs in the sandbox or not at all; absent: as the user would run it. */
  readonly sandbox?: ProgramGrants;
}

export type Texts = Readonly<Record<string, string>>;

/** Missing values are found out from the server. */
export interface OAuthConfig {
  readonly enabled: boolean;
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Where a document says who Folio is, for services that take its address as the client. */
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
