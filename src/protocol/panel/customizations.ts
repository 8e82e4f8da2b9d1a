/* Things that a user, a workspace or an extension adds to Folio: servers, commands, agents, skills, tools. */

/** `extension`: one of `gemini-extension.json`, which the user installed. */
export type OriginKind = 'builtIn' | 'person' | 'workspace' | 'extension';

/** `settings`: values that a settings file sets for Folio itself. */
export type CustomizationKind =
  | 'hook'
  | 'server'
  | 'command'
  | 'agent'
  | 'skill'
  | 'extension'
  | 'tools'
  | 'settings';

/** The trusted workspace brings it, and it does nothing until the user has let it. */
export interface UnseenItem {
  /** Identifies exactly this content: a changed thing has another id. A decision names those that were shown. */
  readonly id: string;
  readonly kind: CustomizationKind;
  readonly name: string;
  /** Says in one line what it would do: the command that starts a server, the description of an agent. */
  readonly detail: string;
  /** The file that names it, relative to the workspace. */
  readonly file: string;
}
